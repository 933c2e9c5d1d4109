import AutoMobileState

/// Putting issues together where no index has to do anything for it: whoever reads reports asks the state in which issue they are.
extension IssueMerges {
  /// All or none.
  func decide(
    _ names: [String], into name: String, by author: String, at now: Int64, _ issues: any IssueDirectory
  ) async throws {
    let target = try await Self.side(name, issues)
    // One that is a part of another one in the list is that one.
    var seen: Set<String> = [target.name]
    var sources: [(side: IssueSide, live: [(timestamp: Int64, version: String?)])] = []
    for other in names {
      let source = try await Self.side(other, issues)
      guard seen.insert(source.name).inserted else { continue }
      try Self.check(source, target)
      sources.append((source, try await issues.live(source.name)))
    }
    guard !sources.isEmpty else { return }
    try await store.state.write { [sources] state in
      for source in sources {
        try IssueDecisions.merge(source.side.called, into: target.name, by: author, at: now, in: state)
        for report in source.live {
          _ = try IssueStates.reopen(target.name, at: report.timestamp, version: report.version, in: state)
        }
      }
    }
    await store.followIssues()
  }

  func decideSplit(
    _ part: String, from name: String, by author: String, at now: Int64, _ issues: any IssueDirectory
  ) async throws {
    let target = try await Self.side(name, issues)
    try await store.state.write { state in
      guard let merged = try KnownDecisions(in: state.reading).merges[part], merged.target == target.name else {
        throw Self.noPart(part, of: target.name)
      }
      try IssueDecisions.split(merged.called, from: target.name, by: author, at: now, in: state)
    }
    await store.followIssues()
  }

  private static func side(_ name: String, _ issues: any IssueDirectory) async throws -> IssueSide {
    guard let known = try await issues.known(name), let side = try await issues.side(known) else {
      throw IssueRoutes.noIssue(name)
    }
    return side
  }

  /// - Throws: ``APIError`` when they cannot be one problem.
  static func check(_ source: IssueSide, _ target: IssueSide) throws {
    guard source.bundleId == target.bundleId, source.kind == target.kind else {
      throw APIError.badRequest(
        "not_alike",
        "only issues of one app and one kind can be merged: “\(source.called.title)” has another app or kind")
    }
  }
}
