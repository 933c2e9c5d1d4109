extension View {
  /// Documentation: *onAppear(perform:)*. iOS 13.0.
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    let action = Unshared(action)
    return Decorated(content: self) { $0.onAppear = action.value }
  }

  /// Documentation: *onDisappear(perform:)*. iOS 13.0.
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    let action = Unshared(action)
    return Decorated(content: self) { $0.onDisappear = action.value }
  }

  /// Documentation: *task(priority:_:)*. iOS 15.0.
  nonisolated public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    Decorated(content: self) { node in
      let running = node.remembered(RunningTask())
      node.onAppear = { running.task = Task(priority: priority) { await action() } }
      node.onDisappear = { running.task?.cancel() }
    }
  }

  /// Documentation: *refreshable(action:)*. iOS 15.0.
  nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
}

private final class RunningTask {
  var task: Task<Void, Never>?
}

/// What the framework takes along to the main actor, where it came from.
///
/// `@unchecked Sendable`: used on the main actor only.
struct Unshared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
