extension View {
  /// Documentation: *onChange(of:perform:)*. iOS 14.0.
  ///
  /// What is called is the closure that came with the value before: what it has captured is from then.
  nonisolated public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some View {
    let observed = Unshared(ObservedValue(value) { action($1) })
    return Decorated(content: self) { node in
      let last = node.remembered(observed.value)
      if last.value != observed.value.value { node.graph.perform(last.change(to: observed.value.value)) }
      last.take(observed.value)
    }
  }

  /// Documentation: *onChange(of:initial:_:)*. iOS 17.0.
  ///
  /// What is called is the closure that came with the new value.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
  ) -> some View {
    let observed = Unshared(ObservedValue(value, action))
    return Decorated(content: self) { node in
      let last = node.remembered(observed.value)
      let before = last.value
      last.take(observed.value)
      if before != last.value { node.graph.perform(last.change(from: before)) }
    }
  }
}

private final class ObservedValue<Value> {
  private(set) var value: Value
  private var action: (Value, Value) -> Void

  init(_ value: Value, _ action: @escaping (Value, Value) -> Void) {
    self.value = value
    self.action = action
  }

  func take(_ other: ObservedValue) { (value, action) = (other.value, other.action) }

  func change(to new: Value) -> () -> Void {
    let (value, action) = (value, action)
    return { action(value, new) }
  }

  func change(from old: Value) -> () -> Void {
    let (value, action) = (value, action)
    return { action(old, value) }
  }
}
