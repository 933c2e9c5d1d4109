import AutoMobileState

/// Merging where the state is elsewhere, and other collectors decide at the same time.
extension IssueMerges {
  private static let mostLooks = 3

  /// All or none: nobody is told that it failed after some were put together.
  func decideElsewhere(_ names: [String], into name: String, by author: String, at now: Int64) async throws {
    for _ in 0..<Self.mostLooks {
      // What this index noticed before, as that an issue has another name, would be told behind it, and take it back. What the state
      // does not take waits on, and keeps nobody from deciding.
      try? await offLoop { [store] in try store.tellState() }
      do {
        let pairs = try await pairs(names, name)
        guard !pairs.isEmpty else { return }
        try await store.state.write { state in
          for pair in pairs { try pair.check(in: state.reading) }
          for pair in pairs { try pair.decide(by: author, at: now, in: state) }
        }
        return await store.followIssues()
      } catch is IssueDecisions.Overtaken {
        // Another collector was quicker: what was looked at is merged now, and so is what comes to it.
        try await offLoop { [store] in try store.pullIssues() }
      }
    }
    throw APIError(.conflict, "merged_meanwhile", "others merge these issues at this moment: look at them again")
  }

  private func pairs(_ names: [String], _ name: String) async throws -> [Pair] {
    let pairs = try await store.pool.read { database in
      var seen: Set<Int64> = []
      return try names.compactMap { try Pair($0, name, in: database) }.filter { seen.insert($0.source.row).inserted }
    }
    // To take it out of that one is not for a collector that does not show it to whoever decides, as long as another one may.
    if let target = pairs.first?.target, let into = target.target, try await !isGone(into) {
      throw APIError(
        .conflict, "merged_elsewhere",
        """
        “\(target.called.title)” is merged into an issue of which this collector has no reports any more: merge into that one where \
        it is shown, or this one into the others
        """)
    }
    return pairs
  }

  private func isGone(_ issue: String) async throws -> Bool {
    try await store.state.write { try IssueTargets.isGone(issue, at: WallClock.now, in: $0) }
  }
}
