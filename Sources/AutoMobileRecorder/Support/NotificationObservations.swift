import AutoMobileSupport
import Foundation

/// Observations of notifications, which end when it does.
package final class NotificationObservations: Sendable {
  private let tokens = Locked<[any NSObjectProtocol]>([])
  private let center: NotificationCenter

  package init(_ center: NotificationCenter) { self.center = center }

  deinit { end() }

  /// Calls `body`, behind the error barrier, whenever a notification of this name is posted.
  ///
  /// - Parameter queue: nil: on the thread that posts.
  package func add(
    _ name: Notification.Name, at place: BarrierPlace, queue: OperationQueue? = nil,
    _ body: @escaping @Sendable () -> Void
  ) {
    add(name, at: place, queue: queue, reading: { _ in body() })
  }

  /// The same with a body that looks at the notification.
  package func add(
    _ name: Notification.Name, at place: BarrierPlace, queue: OperationQueue? = nil,
    reading body: @escaping @Sendable (Notification) -> Void
  ) {
    let token = center.addObserver(forName: name, object: nil, queue: queue) { notification in
      ErrorBarrier.run(place) { body(notification) }
    }
    tokens.withLock { $0.append(token) }
  }

  /// The same on the thread that posts, with the notification.
  package func add(
    _ name: Notification.Name, at place: BarrierPlace, _ body: @escaping @Sendable (Notification) -> Void
  ) {
    let token = center.addObserver(forName: name, object: nil, queue: nil) { notification in
      ErrorBarrier.run(place) { body(notification) }
    }
    tokens.withLock { $0.append(token) }
  }

  package func end() {
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    tokens.forEach(center.removeObserver)
  }
}
