import Foundation
import GRDB

/// Reads launches, and what could not be indexed.
struct LaunchQuery: Sendable {
  let store: EventStore

  /// Launches, newest first.
  func list(_ scope: ReadScope, before: Int64?, limit: Int) async throws -> Page<LaunchRow> {
    try await store.read(scope) { database in
      try Page.fetch(
        database, sql: LaunchRow.select + " WHERE launch.id < ? ORDER BY launch.id DESC LIMIT ?",
        arguments: [before ?? .max, limit], limit: limit, bytes: store.limits.pageBytes)
    }
  }

  /// Records that could not be indexed, newest first.
  func quarantine(_ scope: ReadScope, before: Int64?, limit: Int) async throws -> Page<QuarantineRow> {
    try await store.read(scope) { database in
      try Page.fetch(
        database,
        sql: """
          SELECT quarantine.id, launchId, sequence, kind, received, reason, payload, length
          FROM quarantine JOIN launch ON launch.id = quarantine.launch WHERE quarantine.id < ?
          ORDER BY quarantine.id DESC LIMIT ?
          """, arguments: [before ?? .max, limit], limit: limit, bytes: store.limits.pageBytes)
    }
  }
}

/// One launch with its ledger and what became of it here.
struct LaunchRow: FetchableRecord, Weighed, Sendable {
  var row: Int64
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

  static let select = """
    SELECT launch.id, launchId, bundleId, sdkVersion, launch.first, launch.last, recorded, dropped,
      (SELECT CAST(TOTAL(value) AS INTEGER) FROM json_each(dropped)), torn, final, stored, duplicates, quarantined,
      verdict, evidence, lastSeen, expired, kept
    FROM launch LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
    """

  init(row: Row) {
    self.row = row[0]
    launchId = row[1]
    bundleId = row[2]
    sdkVersion = row[3]
    first = row[4]
    last = row[5]
    recorded = row[6]
    dropped = row[7]
    droppedSum = row[8]
    torn = row[9]
    isFinal = row[10]
    stored = row[11]
    duplicates = row[12]
    quarantined = row[13]
    let verdict: String? = row[14]
    end = verdict.map { ($0, row[15] ?? "", row[16]) }
    expired = row[17]
    kept = Self.kept(row[18], of: recorded, dropped: droppedSum, stored: stored, quarantined: quarantined)
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

/// One record that could not be indexed.
struct QuarantineRow: FetchableRecord, Weighed, Sendable {
  var id: Int64
  var launchId: String
  var sequence: Int64
  var kind: Int64
  var receivedAt: Int64
  var reason: String
  var payload: Data
  var length: Int64

  init(row: Row) {
    id = row[0]
    launchId = row[1]
    sequence = row[2]
    kind = row[3]
    receivedAt = row[4]
    reason = row[5]
    payload = row[6]
    length = row[7]
  }

  /// As text, what is none is three times as long.
  var weight: Int { 300 + reason.utf8.count + 3 * payload.count }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("launchId", launchId)
      $0.member("sequence", sequence)
      $0.member("kind", kind)
      $0.member("receivedAt", receivedAt)
      $0.member("reason", reason)
      $0.member("length", length)
      // The beginning, as text; bytes that are none become U+FFFD.
      $0.member("payload", String(decoding: payload, as: UTF8.self))
    }
  }
}
