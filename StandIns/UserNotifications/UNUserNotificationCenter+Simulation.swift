import Foundation

extension UNUserNotificationCenter {
  /// A centre of its own, as another app has it.
  public static func simulated(isAllowed: Bool = true) -> UNUserNotificationCenter {
    let center = UNUserNotificationCenter()
    center.state.withLock { $0.isAllowed = isAllowed }
    return center
  }

  /// What is on the lock screen, oldest first.
  public var simulatedNotifications: [UNNotification] { state.withLock { $0.delivered } }

  /// What is registered.
  public var simulatedCategories: Set<UNNotificationCategory> { state.withLock { $0.categories } }

  /// Somebody chooses an action of a notification; the app is told, if it has a delegate.
  public func simulateResponse(
    _ actionIdentifier: String, to notification: UNNotification, completion: @escaping @Sendable () -> Void = {}
  ) {
    let response = UNNotificationResponse(actionIdentifier: actionIdentifier, notification: notification)
    delegate?.userNotificationCenter(self, didReceive: response, withCompletionHandler: completion)
  }

  /// A notification comes while the app is in the foreground.
  public func simulatePresentation(
    of notification: UNNotification, completion: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    guard let delegate else { return completion([]) }
    delegate.userNotificationCenter(self, willPresent: notification, withCompletionHandler: completion)
  }

  /// Somebody asks for the app's own settings of notifications.
  public func simulateOpeningSettings(for notification: UNNotification? = nil) {
    delegate?.userNotificationCenter(self, openSettingsFor: notification)
  }

  /// A notification that somebody else posted.
  public func simulateDelivery(title: String, categoryIdentifier: String = "") -> UNNotification {
    let content = UNMutableNotificationContent()
    content.title = title
    content.categoryIdentifier = categoryIdentifier
    return UNNotification(request: UNNotificationRequest(identifier: title, content: content, trigger: nil))
  }

  /// What the system keeps.
  final class State: @unchecked Sendable {
    // Unchecked: everything is reached under the lock.
    struct Kept {
      var isAllowed = true
      var categories: Set<UNNotificationCategory> = []
      var delivered: [UNNotification] = []
      /// Of the attachments, a directory for each centre.
      let store = FileManager.default.temporaryDirectory.appendingPathComponent("attachments-\(UUID().uuidString)")

      mutating func add(_ request: UNNotificationRequest) -> (any Error)? {
        guard isAllowed else { return UNError(.notificationsNotAllowed) }
        for attachment in request.content.attachments {
          do {
            let directory = store.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let url = directory.appendingPathComponent(attachment.url.lastPathComponent)
            try FileManager.default.moveItem(at: attachment.url, to: url)
            attachment.url = url
          } catch {
            return UNError(.attachmentCorrupt)
          }
        }
        delivered.append(UNNotification(request: request))
        return nil
      }
    }

    private let lock = NSLock()
    private var kept = Kept()

    deinit { try? FileManager.default.removeItem(at: kept.store) }

    func withLock<Result>(_ body: (inout Kept) -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return body(&kept)
    }
  }
}
