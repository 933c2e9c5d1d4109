/// Documentation: *DynamicProperty*. iOS 13.0.
public protocol DynamicProperty {}

/// Documentation: *State*. iOS 13.0.
@propertyWrapper public struct State<Value>: DynamicProperty {
  private let handle: StateHandle<Value>

  /// Documentation: *init(wrappedValue:)*. iOS 13.0.
  public init(wrappedValue value: Value) { handle = StateHandle(StateLocation(value)) }

  /// Documentation: *wrappedValue*. iOS 13.0.
  public var wrappedValue: Value {
    get { handle.location.value }
    nonmutating set { handle.location.value = newValue }
  }

  /// Documentation: *projectedValue*. iOS 13.0.
  public var projectedValue: Binding<Value> {
    let location = handle.location
    return Binding(getter: { location.value }, setter: { location.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Documentation: *init()*. iOS 13.0.
  public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

/// What a fresh view brings, until it is told what has been kept for it.
///
/// `@unchecked Sendable`: used on the main actor only, as views are.
private final class StateHandle<Value>: @unchecked Sendable {
  var location: StateLocation<Value>

  init(_ location: StateLocation<Value>) { self.location = location }
}

private final class StateLocation<Value> {
  weak var node: ViewNode?
  var value: Value {
    didSet {
      if let old = oldValue as? any Equatable, let new = value as? any Equatable, isSame(old, new) { return }
      let node = node
      MainActor.assumeIsolated { node?.invalidate() }
    }
  }

  init(_ value: Value) { self.value = value }
}

extension State: KeptProperty {
  func link(_ kept: AnyObject?, to node: ViewNode) -> AnyObject {
    if let kept = kept as? StateLocation<Value> { handle.location = kept }
    handle.location.node = node
    return handle.location
  }
}
