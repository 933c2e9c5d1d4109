import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Posts local notifications, and records which actions of notifications people choose.
///
///     let isPosted = await AutoMobileNotifications.shared.post(
///       title: "Coffee is ready", body: "Table 4", imagePath: "https://example.com/cup.png",
///       actions: [NotificationAction(label: "On my way", actionId: "coming")])
///
///     AutoMobileNotifications.shared.installActionHandler()  // in application(_:didFinishLaunchingWithOptions:)
///
/// Permission is the app's to ask for. Any thread.
public final class AutoMobileNotifications: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`, which has a lock.
  public static let shared = AutoMobileNotifications()

  /// The category of notifications with actions for which no other was asked. When it is there already with other actions, a
  /// category of their own takes its place, whose identifier begins with this one: a notification that is on the screen keeps
  /// its buttons.
  public static let categoryIdentifier = "dev.jasonpearson.automobile.sdk.NOTIFICATION"

  /// Posted to `NotificationCenter.default` when somebody has chosen an action, with ``actionIdUserInfoKey`` and
  /// ``notificationTitleUserInfoKey`` in its `userInfo`.
  public static let actionNotification = Notification.Name("dev.jasonpearson.automobile.sdk.NOTIFICATION_ACTION")
  public static let actionIdUserInfoKey = "actionId"
  public static let notificationTitleUserInfoKey = "notificationTitle"

  private struct State {
    var buffer: SdkEventBuffer?
    /// Chosen before there was a buffer: an action may be what launched the app.
    var early = RingBuffer<SdkNotificationActionEvent>(capacity: 8)
    var poster: NotificationPoster?
    var lastError: String?
    /// The last response, by which one that comes along two ways is known.
    weak var lastResponse: AnyObject?
  }

  private let state = Locked(State())
  private let makePoster: @Sendable () -> NotificationPoster?
  private let center: @Sendable () -> NotificationCenter
  private let isDebugBuild: Bool
  /// Delegates, which their centres do not keep.
  let actionHandlers = ActionHandlers()

  init(
    isDebugBuild: Bool = DefaultEndpoint.isDebugBuild,
    makePoster: @escaping @Sendable () -> NotificationPoster? = { .system },
    center: @escaping @Sendable () -> NotificationCenter = { .default }
  ) {
    self.isDebugBuild = isDebugBuild
    self.makePoster = makePoster
    self.center = center
  }

  /// Posts a notification, to be shown at once.
  ///
  /// - Parameters:
  ///   - title: cut at 1024 bytes.
  ///   - body: cut at 8192 bytes.
  ///   - style: how it is meant; see ``NotificationStyle``.
  ///   - imagePath: a PNG, JPEG or GIF of at most 10 MB: an absolute path, a `file:` URL, or an `http:` or `https:` URL, which is
  ///     downloaded within 15 seconds. The app's file stays where it is, and the download is not recorded as one of the app's
  ///     requests. Without an image that can be had, the notification is posted all the same, and ``lastError`` says why.
  ///   - actions: buttons; at most ten. Those without an identifier, and a second one with the same, are left out.
  ///   - categoryId: a category of the app's own: with actions it is registered, with these in place of those that it had;
  ///     without, used as it is. All other categories stay as they are.
  /// - Returns: whether the system took it: not without the person's permission.
  public func post(
    title: String, body: String, style: NotificationStyle = .default, imagePath: String? = nil,
    actions: [NotificationAction] = [], categoryId: String? = nil
  ) async -> Bool {
    let poster = poster
    guard let poster else {
      state.withLock { $0.lastError = "this process has no notification center" }
      return false
    }
    let outcome = await poster.post(
      LocalNotification(title: title, body: body, style: style, actions: actions, categoryId: categoryId),
      imagePath: imagePath)
    state.withLock { $0.lastError = outcome.problems.isEmpty ? nil : outcome.problems.joined(separator: "; ") }
    return outcome.isPosted
  }

  /// What went wrong with the last notification that was posted; nil when nothing did.
  public var lastError: String? { state.withLock { $0.lastError } }

  /// Where events go from now on.
  package func start(buffer: SdkEventBuffer) {
    let early = state.withLock { state in
      state.buffer = buffer
      return state.early.removeAll()
    }
    for event in early { buffer.record(event) }
  }

  package func reset() {
    let before = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(before) {}
    actionHandlers.removeAll()
  }

  /// Somebody has chosen an action.
  ///
  /// - Parameters:
  ///   - title: the notification's.
  ///   - isOwn: whether it was posted here. The title of another may be what somebody wrote to somebody, and is recorded in
  ///     debug builds only.
  ///   - response: the system's object, which is told once.
  func noteAction(_ actionId: String, title: String, isOwn: Bool, response: AnyObject) {
    let isNew = state.withLock { state -> Bool in
      defer { state.lastResponse = response }
      return state.lastResponse !== response
    }
    guard isNew else { return }
    let actionId = actionId.limited(to: LocalNotification.maximumIdentifier)
    let title = title.limited(to: LocalNotification.maximumTitle)
    let event = SdkNotificationActionEvent(
      actionId: actionId, notificationTitle: title.isEmpty || !(isOwn || isDebugBuild) ? nil : title)
    let buffer = state.withLock { state -> SdkEventBuffer? in
      if state.buffer == nil { _ = state.early.append(event) }
      return state.buffer
    }
    buffer?.record(event)
    ErrorBarrier.run(.postedNotification) {
      center().post(
        name: Self.actionNotification, object: nil,
        userInfo: [Self.actionIdUserInfoKey: actionId, Self.notificationTitleUserInfoKey: title])
    }
  }

  private var poster: NotificationPoster? {
    if let known = state.withLock({ $0.poster }) { return known }
    guard let new = makePoster() else { return nil }
    return state.withLock { state in
      let poster = state.poster ?? new
      state.poster = poster
      return poster
    }
  }
}
