/// One launch with its ledger and what became of it here.
struct LaunchRow: Weighed, Sendable {
  /// Where it stands among all.
  var place: PageCursor
  var launchId: String
  var bundleId: String?
  var sdkVersion: String?
  var first: Int64?
  var last: Int64?
  var recorded: Int64
  var dropped: String
  var droppedSum: Int64
  var torn: Int64
  var isFinal: Bool
  var stored: Int64
  var duplicates: Int64
  var quarantined: Int64
  /// On its device: not sent, because nobody has asked for it; nil where everything is sent.
  var kept: Int64?
  /// Of those stored, deleted since, as the policy wants it.
  var expired: Int64
  /// What ended it, and why; nil when no later launch has told.
  var end: (verdict: String, evidence: String, lastSeen: Int64?)?

  /// What a ledger calls what went for its age, or for its room where nobody had asked for it.
  static let expiredReason = "expired"

  /// Of what was dropped, what its device had kept and nobody had asked for: it went as the app's rules want it. Where everything is
  /// sent there is nothing of that kind: what went for its age there could not be delivered.
  var agedOut: Int64 {
    guard kept != nil else { return 0 }
    var json = dropped
    let tree = json.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 4) }
    return max(0, tree?[Self.expiredReason]?.integer ?? 0)
  }

  /// A ledger is made before what it goes with is acknowledged, so it counts that as kept: what is here since is not on the device.
  static func kept(
    _ told: Int64?, of recorded: Int64, dropped: Int64, stored: Int64, quarantined: Int64
  ) -> Int64? {
    told.map { max(0, min($0, recorded &- dropped &- stored &- quarantined)) }
  }

  var weight: Int { 400 + dropped.utf8.count + (end?.evidence.utf8.count ?? 0) }

  /// What was recorded and is neither here nor accounted for; nil as long as more may come. What is in quarantine is
  /// here, though nobody can read it; what is kept on the device is not lost.
  var lost: Int64? {
    guard isFinal else { return nil }
    return recorded &- droppedSum &- stored &- quarantined &- (kept ?? 0)
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("launchId", launchId)
      $0.member("bundleId", bundleId)
      $0.member("sdkVersion", sdkVersion)
      $0.member("first", first)
      $0.member("last", last)
      $0.member("recorded", recorded)
      $0.member("dropped", json: dropped)
      $0.member("torn", torn)
      $0.member("final", isFinal)
      $0.member("stored", stored)
      $0.member("duplicates", duplicates)
      $0.member("quarantined", quarantined)
      $0.member("lost", lost)
      $0.member("expired", expired)
      $0.member("kept", kept)
      $0.member("agedOut", agedOut)
      if let end {
        $0.object("end") {
          $0.member("verdict", end.verdict)
          $0.member("evidence", end.evidence)
          $0.member("lastSeen", end.lastSeen)
        }
      }
    }
  }
}
