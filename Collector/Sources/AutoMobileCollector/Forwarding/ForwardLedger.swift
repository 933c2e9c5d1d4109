import AutoMobileState

/// How far a lane has come, and what became of its records: written after each acknowledgement.
///
/// What is noted says up to where, and counts only where that is further than what is there: noted once more, or by a collector that
/// has lost the lane to another one meanwhile, it changes nothing.
struct ForwardLedger: Sendable {
  let state: any StateStore
  let lane: ForwardLaneName

  struct Entry: Sendable, Equatable {
    var cursor: Int64 = 0
    var sent: Int64 = 0
    var rejected: Int64 = 0
    var expired: Int64 = 0
    var passedOver: Int64 = 0
    var lastSent: Int64?
    var refusal: String?
    var refusedAt: Int64?
  }

  // MARK: Reading

  static func entries(in state: borrowing StateReading) throws -> [ForwardLaneName: Entry] {
    let rows = try state.rows(
      """
      SELECT forwarder, signal, cursor, sent, rejected, expired, passedOver, lastSent, refusal, refusedAt
      FROM forwarder_lane
      """)
    var entries: [ForwardLaneName: Entry] = [:]
    for row in rows {
      guard let signal = ForwardSignal(rawValue: try row[1]) else { continue }
      entries[ForwardLaneName(forwarder: try row[0], signal: signal)] = try Entry(
        cursor: row[2], sent: row[3], rejected: row[4], expired: row[5], passedOver: row[6], lastSent: row[7],
        refusal: row[8], refusedAt: row[9])
    }
    return entries
  }

  /// Where the lane goes on; nil: it has been removed.
  func cursor() async throws -> Int64? {
    try await state.read { [lane] state in
      try state.value(
        "SELECT cursor FROM forwarder_lane WHERE forwarder = ?1 AND signal = ?2", lane.forwarder, lane.signal.rawValue)
    }
  }

  // MARK: Writing

  /// What was sent is settled. One short transaction; ``cursor()`` never goes back.
  ///
  /// - Parameters:
  ///   - sent: that the receiver took.
  ///   - rejected: that it did not take, for the reason.
  func settle(upTo cursor: Int64, sent: Int = 0, rejected: Int = 0, reason: String? = nil, at now: Int64) async throws {
    try await state.write { [lane] state in
      _ = try state.execute(
        """
        UPDATE forwarder_lane SET cursor = ?3, sent = sent + ?4, rejected = rejected + ?5,
          lastSent = CASE WHEN ?4 > 0 THEN ?7 ELSE lastSent END,
          refusal = COALESCE(?6, refusal), refusedAt = CASE WHEN ?6 IS NULL THEN refusedAt ELSE ?7 END
        WHERE forwarder = ?1 AND signal = ?2 AND cursor < ?3
        """, lane.forwarder, lane.signal.rawValue, cursor, sent, rejected,
        reason?.keepable, now)
    }
  }

  /// Too much waited: what is older is left out.
  func passOver(upTo cursor: Int64, count: Int) async throws {
    try await state.write { [lane] state in
      _ = try state.execute(
        """
        UPDATE forwarder_lane SET cursor = ?3, passedOver = passedOver + ?4
        WHERE forwarder = ?1 AND signal = ?2 AND cursor < ?3
        """, lane.forwarder, lane.signal.rawValue, cursor, count)
    }
  }

  // MARK: What is deleted

  /// An event that the retention policy deletes.
  struct Expiring {
    var id: Int64
    var type: String
    var severity: Int64
  }

  /// Counts what is deleted before it was sent, before it is deleted for good.
  ///
  /// - Parameter app: of the session; read when it is needed only. Nil: it is no news, and was never to be sent.
  static func note(
    expiring events: [Expiring], of app: () throws -> ForwardedApp?, in state: borrowing StateWriting
  ) throws {
    guard let highest = events.map(\.id).max() else { return }
    let behind = try state.rows(
      """
      SELECT forwarder, signal, cursor, settings FROM forwarder_lane JOIN forwarder ON forwarder.id = forwarder
      WHERE cursor < ?1
      """, highest)
    guard !behind.isEmpty, let app = try app() else { return }
    for row in behind {
      let (forwarder, name, cursor, text): (Int64, String, Int64, String) = try (row[0], row[1], row[2], row[3])
      guard let signal = ForwardSignal(rawValue: name), let settings = ForwarderStore.settings(text) else { continue }
      let filter = ForwardFilter(settings, signal)
      guard filter.bundleId == nil || filter.bundleId == app.bundleId else { continue }
      let count = events.count { $0.id > cursor && $0.severity >= filter.level && filter.wants(type: $0.type) }
      guard count > 0 else { continue }
      try state.execute(
        "UPDATE forwarder_lane SET expired = expired + ?3 WHERE forwarder = ?1 AND signal = ?2", forwarder, name, count)
    }
  }
}

/// Whose events are sent.
struct ForwardedApp {
  var bundleId: String?
}

/// One signal of one forwarder.
struct ForwardLaneName: Hashable, Sendable, CustomStringConvertible {
  var forwarder: Int64
  var signal: ForwardSignal

  var description: String { "\(forwarder) \(signal.rawValue)" }
  /// Of several collectors one sends.
  var work: StateWork { StateWork("forwarder \(self)") }
}
