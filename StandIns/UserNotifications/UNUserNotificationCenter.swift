import Dispatch
import Foundation

/// Documentation: *UNUserNotificationCenter*. iOS 10.0.
///
/// Thread-safe, as Apple's is; calls back on a queue of its own.
open class UNUserNotificationCenter: NSObject {
  private static let theCenter = Unchecked(UNUserNotificationCenter())
  let state = State()
  private let queue = DispatchQueue(label: "com.apple.UserNotifications")

  override init() {}

  /// Documentation: *current()*. iOS 10.0.
  public class func current() -> UNUserNotificationCenter { theCenter.value }

  /// Documentation: *delegate*. iOS 10.0.
  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// Documentation: *setNotificationCategories(_:)*. iOS 10.0.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    state.withLock { $0.categories = categories }
  }

  /// Documentation: *getNotificationCategories(completionHandler:)*. iOS 10.0.
  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    queue.async { [state] in completionHandler(state.withLock { $0.categories }) }
  }

  /// Documentation: *add(_:withCompletionHandler:)*. iOS 10.0.
  ///
  /// Without the person's permission it fails. The files of attachments are moved away, into the system's own store.
  public func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let request = Unchecked(request)
    queue.async { [state] in completionHandler?(state.withLock { $0.add(request.value) }) }
  }
}

/// Crosses from one thread to another, where the code around it sees to it that one of them has it at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
