/// An issue as whoever decides about it has to know it.
struct IssueSide: Sendable {
  var kind: String
  var bundleId: String?
  var called: IssueNotice.IssueName
  var name: String { called.name }
}

/// Knows issues for the collector's own work: for decisions, which are written elsewhere. Whether somebody may see an issue was asked
/// before.
protocol IssueDirectory: Sendable {
  /// The name under which an issue is known now: its own, or that of the one that it was merged into; nil when there is none.
  func known(_ name: String) async throws -> String?

  /// The issue of a name that ``known(_:)`` gave out.
  func side(_ name: String) async throws -> IssueSide?

  /// The newest report of each version, newest first, of an issue that nobody resolved or ignored; of others nothing: none of these
  /// were expected.
  func live(_ name: String) async throws -> [(timestamp: Int64, version: String?)]
}
