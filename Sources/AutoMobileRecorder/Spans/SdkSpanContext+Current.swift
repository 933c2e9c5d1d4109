import AutoMobileSupport

/// The span in which code runs: inherited by child tasks and by what `Task { … }` begins, not by a queue's blocks.
extension SdkSpanContext {
  // Without the macro, which would need a plugin wherever this is only checked.
  private static let local = TaskLocal<SdkSpanContext?>(wrappedValue: nil)

  /// The innermost span around the code that asks; nil: there is none.
  public static var current: SdkSpanContext? {
    let here = local.get()
    guard hasOtherSource, let there = source.withLock({ $0 })?() else { return here }
    guard let here else { return there }
    return there.depth > here.depth ? there : here
  }

  /// Runs `body` inside of this span: what is begun there has it as its parent.
  public func asCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.local.withValue(self, operation: body)
  }

  /// Runs `body` inside of this span, and all tasks that it begins.
  public func asCurrent<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Self.local.withValue(self, operation: body, isolation: isolation)
  }

  // MARK: Another way of being inside

  private static let hasSource = AtomicWord()
  static var hasOtherSource: Bool { hasSource.value != 0 }
  private static let source = Locked<(@Sendable () -> SdkSpanContext?)?>(nil)

  /// Has another library that keeps spans of ours say which one code runs in: a tracer that has a task-local value of its own.
  @_spi(Integrations) public static func setSource(_ source: @escaping @Sendable () -> SdkSpanContext?) {
    let before = self.source.withLock { current in
      defer { current = source }
      return current
    }
    withExtendedLifetime(before) {}
    hasSource.store(1)
  }
}
