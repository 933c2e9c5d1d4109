import Testing

/// Looks until something holds, for at most a minute or what is said: for what another thread does in its own time.
func eventually(
  _ what: Comment, within patience: Duration = .seconds(60), at place: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + patience
  while try await !isSo() {
    try #require(ContinuousClock.now < deadline, what, sourceLocation: place)
    try await Task.sleep(for: .milliseconds(1))
  }
}
