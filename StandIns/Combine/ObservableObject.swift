import Foundation

/// Documentation: *ObservableObject*. iOS 13.0.
public protocol ObservableObject: AnyObject {
  /// Documentation: *ObjectWillChangePublisher*. iOS 13.0.
  associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
  /// Documentation: *objectWillChange*. iOS 13.0.
  var objectWillChange: Self.ObjectWillChangePublisher { get }
}

extension ObservableObject where Self.ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Documentation: *objectWillChange*. iOS 13.0.
  public var objectWillChange: ObservableObjectPublisher { Publishers.of(self) }
}

/// Documentation: *ObservableObjectPublisher*. iOS 13.0.
public final class ObservableObjectPublisher {
  private let lock = NSLock()
  private var observers: [() -> Void] = []

  /// Documentation: *send()*. iOS 13.0.
  public func send() { lock.withLock { observers }.forEach { $0() } }

  /// For the stand-in of SwiftUI, in place of subscribers.
  package func observe(_ observer: @escaping () -> Void) { lock.withLock { observers.append(observer) } }
}

/// The publishers of objects that have none of their own.
private enum Publishers {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  nonisolated(unsafe) private static var entries: [Entry] = []
  private static let lock = NSLock()

  static func of(_ object: AnyObject) -> ObservableObjectPublisher {
    lock.withLock {
      entries.removeAll { $0.object == nil }
      if let known = entries.first(where: { $0.object === object }) { return known.publisher }
      let publisher = ObservableObjectPublisher()
      entries.append(Entry(object: object, publisher: publisher))
      return publisher
    }
  }
}
