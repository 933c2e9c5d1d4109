/// Documentation: *Binding*. iOS 13.0.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Documentation: *init(get:set:)*. iOS 13.0.
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // Called on the main actor, where its views are, without asking to which actor the closures belong.
    self.get = unsafeBitCast(get, to: (() -> Value).self)
    self.set = unsafeBitCast(set, to: ((Value) -> Void).self)
  }

  init(getter: @escaping () -> Value, setter: @escaping (Value) -> Void) {
    get = getter
    set = setter
  }

  /// Documentation: *wrappedValue*. iOS 13.0.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// Documentation: *projectedValue*. iOS 13.0.
  public var projectedValue: Binding<Value> { self }

  /// Documentation: *subscript(dynamicMember:)*. iOS 13.0.
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(
      getter: { wrappedValue[keyPath: keyPath] }, setter: { wrappedValue[keyPath: keyPath] = $0 })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

/// Documentation: *Bindable*. iOS 17.0.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  private var object: Value

  /// Documentation: *init(wrappedValue:)*. iOS 17.0.
  @available(*, unavailable, message: "only for objects that conform to Observable")
  public init(wrappedValue: Value) { fatalError("only for objects that conform to Observable") }

  /// Documentation: *wrappedValue*. iOS 17.0.
  public var wrappedValue: Value {
    get { object }
    set { object = newValue }
  }

  /// Documentation: *projectedValue*. iOS 17.0.
  public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject, Value: Observable {
  /// Documentation: *init(wrappedValue:)*. iOS 17.0.
  public init(wrappedValue: Value) { object = wrappedValue }

  /// Documentation: *subscript(dynamicMember:)*. iOS 17.0.
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    let object = wrappedValue
    return Binding<Subject>(getter: { object[keyPath: keyPath] }, setter: { object[keyPath: keyPath] = $0 })
  }
}
