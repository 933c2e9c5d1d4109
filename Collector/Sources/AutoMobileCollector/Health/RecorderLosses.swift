/// What the recorder itself lost, and why: the ledgers of all launches together.
struct RecorderLosses {
  struct Sums: Summable {
    var launches: Int64 = 0
    /// Launches that may still deliver.
    var open: Int64 = 0
    var recorded: Int64 = 0
    var stored: Int64 = 0
    var duplicates: Int64 = 0
    var quarantined: Int64 = 0
    var torn: Int64 = 0
    var lost: Int64 = 0
    var expired: Int64 = 0
    /// On devices: neither delivered nor dropped, and not lost.
    var kept: Int64 = 0
    /// Of launches that keep what they record, what nobody had asked for and went for its age or its room: no loss. It is not in
    /// ``dropped``.
    var agedOut: Int64 = 0
    var dropped: [String: Int64] = [:]

    var droppedSum: Int64 { dropped.values.reduce(0, &+) }
    var count: Int64 { launches }

    mutating func add(_ other: Sums) {
      launches += other.launches
      open += other.open
      recorded &+= other.recorded
      stored &+= other.stored
      duplicates &+= other.duplicates
      quarantined &+= other.quarantined
      torn &+= other.torn
      lost &+= other.lost
      expired &+= other.expired
      kept &+= other.kept
      agedOut &+= other.agedOut
      for (reason, count) in other.dropped {
        // Reasons are few and known; what a hostile ledger invents is one reason together.
        let name = dropped[reason] != nil || dropped.count < RecorderLosses.reasons ? reason : "other"
        dropped[name, default: 0] &+= count
      }
    }
  }

  var all = Sums()
  var versions = NamedSums<AppVersion, Sums>()
  var worst: [(launch: String, session: String?, at: Int64?, dropped: Int64, lost: Int64)] = []

  /// What is known of one launch.
  struct Launch {
    var id: String
    var session: String?
    /// Of its last event, or when its ledger came.
    var at: Int64?
    var version: AppVersion
    var isFinal: Bool
    /// What it says that it keeps on the device.
    var kept: Int64?
    /// JSON.
    var dropped: String
    var sums: Sums
  }

  mutating func add(_ launch: Launch) {
    var (sums, dropped) = (launch.sums, launch.dropped)
    sums.launches = 1
    sums.open = launch.isFinal ? 0 : 1
    if dropped != "{}" {
      let tree = dropped.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 4) }
      if case .object(let reasons)? = tree {
        for (reason, count) in reasons where count.integer ?? 0 > 0 { sums.dropped[reason] = count.integer }
      }
    }
    // Where everything is sent, it is what could not be delivered for so long.
    if launch.kept != nil { sums.agedOut = sums.dropped.removeValue(forKey: LaunchRow.expiredReason) ?? 0 }
    let gone = sums.droppedSum &+ sums.agedOut
    sums.kept =
      LaunchRow.kept(
        launch.kept, of: sums.recorded, dropped: gone, stored: sums.stored, quarantined: sums.quarantined)
      ?? 0
    // An SDK that keeps no ledger says nothing of losses.
    if launch.isFinal, sums.recorded > 0 {
      sums.lost = max(0, sums.recorded &- gone &- sums.stored &- sums.quarantined &- sums.kept)
    }
    all.add(sums)
    versions[launch.version].add(sums)
    if sums.droppedSum > 0 || sums.lost > 0 {
      worst.append((launch.id, launch.session, launch.at, sums.droppedSum, sums.lost))
      if worst.count > 200 { keepTheWorst() }
    }
  }

  mutating func keepTheWorst() {
    worst.sort { ($0.lost, $0.dropped, $0.launch) > ($1.lost, $1.dropped, $1.launch) }
    worst = Array(worst.prefix(Self.listed))
  }

  static let listed = 8
  /// Why something was dropped, told apart.
  static let reasons = 30

  func write(to json: inout JSONOutput) {
    json.object("recorder") {
      Self.write(all, to: &$0)
      $0.versions(versions.listed) { _, sums, json in Self.write(sums, to: &json) }
      $0.array("worst") {
        for launch in worst {
          $0.object {
            $0.member("launchId", launch.launch)
            $0.member("sessionId", launch.session)
            $0.member("at", launch.at)
            $0.member("dropped", launch.dropped)
            $0.member("lost", launch.lost)
          }
        }
      }
    }
  }

  static func write(_ sums: Sums, to json: inout JSONOutput) {
    json.member("launches", sums.launches)
    json.member("open", sums.open)
    json.member("recorded", sums.recorded)
    json.member("stored", sums.stored)
    json.member("duplicates", sums.duplicates)
    json.member("quarantined", sums.quarantined)
    json.member("torn", sums.torn)
    json.member("lost", sums.lost)
    json.member("expired", sums.expired)
    json.member("kept", sums.kept)
    json.member("agedOut", sums.agedOut)
    json.object("dropped") {
      for (reason, count) in sums.dropped.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
        $0.member(reason, count)
      }
    }
  }
}
