/// Where it is kept that a session was opened from a file, and what of its replays is there already.
protocol SessionImports: Sendable {
  /// Notes where the session is from, unless the same file has been taken in before.
  ///
  /// - Returns: the name by which it is known from now on.
  /// - Throws: ``APIError``: 410 when it has been erased.
  func keep(_ origin: SessionImport, as owner: DataOwner) async throws -> String

  /// What others have taken in of a replay.
  func known(_ replay: String, of owner: DataOwner) async throws -> ImportedReplay
}

/// What is there of a replay, but for what the collector itself has of it.
struct ImportedReplay: Sendable {
  var segments: Set<String> = []
  var isOver = false
}

extension SessionImport {
  static let erased = APIError(.gone, "erased", "this session was opened from this file before, and has been erased")
}
