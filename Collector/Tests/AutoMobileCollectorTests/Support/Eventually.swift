import Testing

/// Looks until something holds, for at most a minute: for what another thread does in its own time.
func eventually(
  _ what: Comment, at place: SourceLocation = #_sourceLocation, _ isSo: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(60)
  while try await !isSo() {
    try #require(ContinuousClock.now < deadline, what, sourceLocation: place)
    try await Task.sleep(for: .milliseconds(1))
  }
}
