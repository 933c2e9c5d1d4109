/// Documentation: *ObservableObject*. iOS 13.0.
public protocol ObservableObject: AnyObject {
  /// Documentation: *ObjectWillChangePublisher*. iOS 13.0.
  associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
  /// Documentation: *objectWillChange*. iOS 13.0.
  var objectWillChange: Self.ObjectWillChangePublisher { get }
}

/// Documentation: *ObservableObjectPublisher*. iOS 13.0.
public final class ObservableObjectPublisher {
  private var observers: [() -> Void] = []

  /// Documentation: *init()*. iOS 13.0.
  public init() {}

  /// Documentation: *send()*. iOS 13.0.
  public func send() { observers.forEach { $0() } }

  /// For the stand-in of SwiftUI, in place of subscribers.
  package func observe(_ observer: @escaping () -> Void) { observers.append(observer) }
}
