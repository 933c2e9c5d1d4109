#if canImport(UserNotifications) && !os(tvOS) && !os(watchOS)
import AutoMobileRecorder
import Foundation
import UserNotifications

extension AutoMobileNotifications {
  /// Has the actions recorded that people choose, as `SdkNotificationActionEvent`: of notifications that were posted here, and of
  /// all others.
  ///
  /// Call it before the app has finished launching, after the app has set its own delegate: that stays the delegate behind this
  /// one, and is called for everything. An app that sets another delegate later calls this again. A second time with nothing
  /// changed does nothing. `UNUserNotificationCenterDelegate` keeps no delegate alive; the handler that is installed here is kept,
  /// the one before is not.
  ///
  /// - Returns: the delegate that the centre has now.
  @discardableResult
  public func installActionHandler(
    on center: UNUserNotificationCenter = .current()
  ) -> any UNUserNotificationCenterDelegate {
    let previous = center.delegate
    if let own = previous as? NotificationActionHandler { return own }
    let handler = actionHandlers.find { (known: NotificationActionHandler) in
      previous != nil && known.previous === previous
    } or: {
      NotificationActionHandler(self, before: previous)
    }
    center.delegate = handler
    return handler
  }
}

/// The system's centre.
// Unchecked Sendable, because Apple's declaration does not say that the centre may be used on any thread; its documentation does.
struct SystemNotificationCenter: LocalNotificationCenter, @unchecked Sendable {
  private let center: UNUserNotificationCenter

  init(_ center: UNUserNotificationCenter) { self.center = center }

  func registeredCategories() async -> [RegisteredCategory] {
    await withCheckedContinuation { continuation in
      center.getNotificationCategories { categories in
        let known = ErrorBarrier.run(.userNotifications, or: []) { categories.map(RegisteredCategory.init) }
        continuation.resume(returning: known)
      }
    }
  }

  func register(_ category: RegisteredCategory) async {
    await withCheckedContinuation { continuation in
      center.getNotificationCategories { [self] categories in
        ErrorBarrier.run(.userNotifications) {
          let before = categories.first { $0.identifier == category.id }
          let new = UNNotificationCategory(
            identifier: category.id,
            actions: category.actions.map {
              UNNotificationAction(identifier: $0.actionId, title: $0.label, options: [])
            },
            intentIdentifiers: before?.intentIdentifiers ?? [], options: before?.options ?? [])
          center.setNotificationCategories(categories.filter { $0.identifier != category.id }.union([new]))
        }
        continuation.resume()
      }
    }
  }

  func add(_ notification: LocalNotification, categoryId: String?, image: URL?) async -> PostOutcome {
    var problems: [String] = []
    var made: UNNotificationRequest?
    ErrorBarrier.run(.userNotifications) {
      made = request(notification, categoryId: categoryId, image: image, problems: &problems)
    }
    guard let request = made else { return PostOutcome(isPosted: false, problems: ["the notification cannot be made"]) }
    let failure: String? = await withCheckedContinuation { continuation in
      center.add(request) { error in continuation.resume(returning: error?.localizedDescription) }
    }
    if let failure { problems.append("the system did not take the notification: \(failure)") }
    return PostOutcome(isPosted: failure == nil, problems: problems)
  }

  private func request(
    _ notification: LocalNotification, categoryId: String?, image: URL?, problems: inout [String]
  ) -> UNNotificationRequest? {
    let content = UNMutableNotificationContent()
    content.title = notification.title
    content.body = notification.body
    content.sound = .default
    content.userInfo = [LocalNotification.styleKey: notification.style.rawValue]
    if let categoryId { content.categoryIdentifier = categoryId }
    if let image {
      do {
        content.attachments = [try UNNotificationAttachment(identifier: "", url: image, options: nil)]
      } catch {
        problems.append("the system did not take the image: \(error.localizedDescription)")
      }
    }
    return UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil)
  }
}

extension RegisteredCategory {
  fileprivate init(_ category: UNNotificationCategory) {
    self.init(
      id: category.identifier,
      actions: category.actions.map { NotificationAction(label: $0.title, actionId: $0.identifier) })
  }
}

extension NotificationPoster {
  /// Nil for a process without a bundle: asking for the centre there ends it.
  static var system: NotificationPoster? {
    #if canImport(Darwin)
    guard Bundle.main.bundleIdentifier != nil else { return nil }
    #endif
    return ErrorBarrier.run(.userNotifications, or: nil) {
      NotificationPoster(center: SystemNotificationCenter(.current()), images: NotificationImages())
    }
  }
}
#else
extension NotificationPoster {
  static var system: NotificationPoster? { nil }
}
#endif
