import AutoMobileClickHouse

/// What an answer can do without has so long, and no longer: then the answer goes without it.
struct SpareTime: Sendable {
  let end: ContinuousClock.Instant

  /// - Returns: nil when the time is over, or when the servers say that it takes too much of them.
  /// - Throws: what `body` throws for any other reason, and what the task's own end throws.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result? {
    guard ContinuousClock.now < end else { return nil }
    let work = Task { try await body() }
    let impatience = Task {
      try await Task.sleep(until: end, clock: .continuous)
      work.cancel()
    }
    defer { impatience.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await work.value
      } onCancel: {
        work.cancel()
      }
    } catch  where !Task.isCancelled && (work.isCancelled || (error as? ClickHouseError)?.isOfLimits == true) {
      return nil
    }
  }
}
