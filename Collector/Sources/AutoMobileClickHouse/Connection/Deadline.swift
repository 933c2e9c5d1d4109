/// A time within which something is done, or given up.
enum Deadline {
  struct Passed: Error {}

  /// The HTTP client's own deadline ends with the head of an answer; a server can take for ever over its body.
  static func run<Result: Sendable>(
    within duration: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: duration)
        throw Passed()
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw CancellationError() }
      return result
    }
  }
}
