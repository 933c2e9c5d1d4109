import AutoMobileSupport
import Foundation
import Testing
import UserNotifications

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A23: the delegate that tells of chosen actions, and the ones behind it.
@MainActor @Suite(.serialized) struct ActionHandlerTests {
  private let center = UNUserNotificationCenter.simulated()
  private let notifications = AutoMobileNotifications(makePoster: { nil })
  private let recorded = RecordedEvents()

  init() { notifications.start(buffer: recorded.buffer) }

  private var actions: [String] { recorded.all(SdkNotificationActionEvent.self).map(\.actionId) }

  /// Answers a notification; how often the system was told that the app is done.
  private func answer(_ actionId: String) async -> Int {
    let calls = Locked(0)
    center.simulateResponse(actionId, to: center.simulateDelivery(title: "Coffee")) { calls.withLock { $0 += 1 } }
    _ = await eventually { calls.withLock { $0 } > 0 }
    await turn()
    return calls.withLock { $0 }
  }

  private func presented(_ notification: UNNotification) -> [UNNotificationPresentationOptions] {
    let calls = Locked<[UNNotificationPresentationOptions]>([])
    center.simulatePresentation(of: notification) { options in calls.withLock { $0.append(options) } }
    return calls.withLock { $0 }
  }

  @Test func `A23 a chosen action is recorded, with the notification's title`() async {
    notifications.installActionHandler(on: center)
    #expect(await answer("coming") == 1)
    #expect(await answer(UNNotificationDefaultActionIdentifier) == 1)
    #expect(actions == ["coming", UNNotificationDefaultActionIdentifier])
    #expect(recorded.all(SdkNotificationActionEvent.self).map(\.notificationTitle) == ["Coffee", "Coffee"])
  }

  @Test func `A23 the handler lives, though the centre does not keep it`() {
    notifications.installActionHandler(on: center)
    #expect(center.delegate is NotificationActionHandler)
  }

  @Test func `A23 the app's delegate gets all three calls, and its completion is handed on`() async {
    let own = AppDelegate()
    center.delegate = own
    notifications.installActionHandler(on: center)
    #expect(await answer("coming") == 1)
    #expect(presented(center.simulateDelivery(title: "t")) == [[.banner]])
    center.simulateOpeningSettings()
    #expect(own.calls.withLock { $0 } == ["didReceive coming", "willPresent t", "openSettings"])
    #expect(actions == ["coming"])
  }

  @Test func `A23 a delegate that completes twice is heard once`() async {
    let own = AppDelegate(completions: 2)
    center.delegate = own
    notifications.installActionHandler(on: center)
    #expect(await answer("coming") == 1)
    #expect(presented(center.simulateDelivery(title: "t")) == [[.banner]])
  }

  @Test func `A23 a delegate that completes later is waited for`() async {
    let own = AppDelegate(completions: 0)
    center.delegate = own
    notifications.installActionHandler(on: center)
    let calls = Locked(0)
    center.simulateResponse("coming", to: center.simulateDelivery(title: "t")) { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 0)
    own.pending.withLock { $0 }.forEach { $0() }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `A23 a delegate without the methods is as good as none`() async {
    let own = EmptyDelegate()
    center.delegate = own
    notifications.installActionHandler(on: center)
    #expect(await answer("coming") == 1)
    #expect(presented(center.simulateDelivery(title: "t")) == [[]])
    center.simulateOpeningSettings()
    withExtendedLifetime(own) {}
  }

  @Test func `A23 the delegate before is not kept alive, and when it is gone the system is answered`() async {
    weak var gone: AppDelegate?
    do {
      let own = AppDelegate()
      gone = own
      center.delegate = own
      notifications.installActionHandler(on: center)
    }
    #expect(gone == nil)
    #expect(await answer("coming") == 1)
    #expect(presented(center.simulateDelivery(title: "t")) == [[]])
    center.simulateOpeningSettings()
    #expect(actions == ["coming"])
  }

  @Test func `A23 installed twice it is not behind itself`() async {
    let own = AppDelegate()
    center.delegate = own
    let first = notifications.installActionHandler(on: center)
    #expect(notifications.installActionHandler(on: center) === first)
    #expect(await answer("coming") == 1)
    #expect(own.calls.withLock { $0 } == ["didReceive coming"])
    #expect(actions == ["coming"])
  }

  @Test func `A23 an app that sets its delegate again and installs again gets the same handler`() async {
    let own = AppDelegate()
    center.delegate = own
    let first = notifications.installActionHandler(on: center)
    center.delegate = own
    #expect(notifications.installActionHandler(on: center) === first)
    #expect(center.delegate === first)
  }

  @Test func `A23 handlers in a chain record an action once, and the system is answered once`() async {
    let own = AppDelegate()
    center.delegate = own
    let first = notifications.installActionHandler(on: center)
    // Another library puts itself before, and hands on.
    let other = ForwardingDelegate(first)
    center.delegate = other
    notifications.installActionHandler(on: center)
    #expect(await answer("coming") == 1)
    #expect(own.calls.withLock { $0 } == ["didReceive coming"])
    #expect(actions == ["coming"])
    withExtendedLifetime(other) {}
  }

  @Test func `A23 in the foreground what was posted here is shown, unless the app says otherwise`() async throws {
    let poster = NotificationPoster(center: SystemNotificationCenter(center), images: NotificationImages())
    let posting = AutoMobileNotifications(makePoster: { poster })
    #expect(await posting.post(title: "t", body: "b"))
    let posted = try #require(center.simulatedNotifications.first)
    #expect(presented(posted) == [[]], "without a delegate nothing is shown")
    notifications.installActionHandler(on: center)
    #expect(presented(posted) == [[.banner, .list, .sound]])
    #expect(presented(center.simulateDelivery(title: "somebody else's")) == [[]])
  }

  @Test func `A23 an app that installs again and again keeps few handlers`() {
    var delegates: [AppDelegate] = []
    for _ in 0..<100 {
      let own = AppDelegate()
      delegates.append(own)
      center.delegate = own
      notifications.installActionHandler(on: center)
    }
    #expect(center.delegate is NotificationActionHandler)
  }
}

/// The app's, with all three methods.
private final class AppDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
  let calls = Locked<[String]>([])
  let pending = Locked<[@Sendable () -> Void]>([])
  private let completions: Int

  init(completions: Int = 1) { self.completions = completions }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    calls.withLock { $0.append("didReceive \(response.actionIdentifier)") }
    pending.withLock { $0.append(completionHandler) }
    for _ in 0..<completions { completionHandler() }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    calls.withLock { $0.append("willPresent \(notification.request.content.title)") }
    for _ in 0..<completions { completionHandler(.banner) }
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
    calls.withLock { $0.append("openSettings") }
  }
}

/// One that has none of the optional methods.
private final class EmptyDelegate: NSObject, UNUserNotificationCenterDelegate {}

/// Another library's.
private final class ForwardingDelegate: NSObject, UNUserNotificationCenterDelegate {
  private let next: any UNUserNotificationCenterDelegate

  init(_ next: any UNUserNotificationCenterDelegate) { self.next = next }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    next.userNotificationCenter(center, didReceive: response, withCompletionHandler: completionHandler)
  }
}
