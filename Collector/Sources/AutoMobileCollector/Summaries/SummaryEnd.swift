/// What a `session_summary` event says that shares everything else with one that came before: how its session ended, and what its launch
/// keeps of it. The SDK sends it where the other one has been taken.
struct SummaryEnd: Equatable {
  var revision: Int64
  /// The revision that says everything else.
  var sameAs: Int64
  var end: String
  var kept = SessionSummary.Kept()

  /// - Returns: nil when it is none, or says nothing that can be believed.
  init?(_ payload: UnsafeRawBufferPointer) {
    guard payload.count <= SessionSummary.maximumSize,
      let tree = try? JSONTree(checking: payload, maximumDepth: 16), let revision = tree["revision"]?.integer,
      let sameAs = tree["sameAs"]?.integer, sameAs > 0, revision > sameAs, tree["isFinal"]?.bool == true
    else { return nil }
    self.revision = revision
    self.sameAs = sameAs
    end = SessionSummary.text(tree["end"], 40) ?? "ended"
    kept = SessionSummary.Kept(tree)
  }
}
