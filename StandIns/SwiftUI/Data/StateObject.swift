/// Documentation: *StateObject*. iOS 14.0.
@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  private let handle: StateObjectHandle<ObjectType>

  /// Documentation: *init(wrappedValue:)*. iOS 14.0.
  nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
    handle = StateObjectHandle(thunk)
  }

  /// Documentation: *wrappedValue*. iOS 14.0.
  @MainActor @preconcurrency public var wrappedValue: ObjectType { handle.object }
}

/// Makes the object when it is first asked for, unless one has been kept.
///
/// `@unchecked Sendable`: used on the main actor only, as views are.
private final class StateObjectHandle<ObjectType: ObservableObject>: @unchecked Sendable {
  private let make: () -> ObjectType
  var kept: ObjectType?

  init(_ make: @escaping () -> ObjectType) { self.make = make }

  var object: ObjectType {
    if let kept { return kept }
    let object = make()
    kept = object
    return object
  }
}

extension StateObject: KeptProperty {
  func link(_ kept: AnyObject?, to node: ViewNode) -> AnyObject {
    if let kept = kept as? ObjectType {
      handle.kept = kept
      return kept
    }
    let object = handle.object
    (object.objectWillChange as? ObservableObjectPublisher)?.observe { [weak node] in
      MainActor.assumeIsolated { node?.invalidate() }
    }
    return object
  }
}
