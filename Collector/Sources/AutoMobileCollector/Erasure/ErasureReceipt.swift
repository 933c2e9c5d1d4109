import Foundation

/// What was done, as it is given to whoever asked for it. Its text never changes, and its SHA-256 stands beside it.
struct ErasureReceipt {
  let text: String
  var sha256: String { SHA256.hex(Array(text.utf8)) }

  /// What is counted beside the rows of tables: what it is, for people.
  private static let stores: [(count: String, name: String)] = [
    ("event_bytes", "eventBytes"), ("replay_bytes", "replayBytes"), ("packs", "packsRewritten"),
    ("unreadable_segments", "unreadableSegments"), ("log_bytes", "logBytes"),
    ("issue_described_anew", "issuesDescribedAnew"), ("configuration_asks", "asksInConfiguration"),
  ]

  /// - Parameters:
  ///   - bucket: of the S3 store in which packs of replays are; nil: they are in folders.
  ///   - forwarders: their names.
  ///   - besides: what remains where telemetry lies.
  init(
    _ erasure: Erasure, finishedAt: Int64, bucket: String?, forwarders: [String], besides: [Remains] = []
  ) {
    let beside = Set(Self.stores.map(\.count) + ["sessions", "audit", "configuration_named"])
    var json = JSONOutput()
    json.object {
      $0.member("erasure", erasure.id)
      $0.member("kind", erasure.kind.rawValue)
      $0.member("subject", "hmac-sha256:" + erasure.subject)
      $0.member("project", erasure.project)
      $0.member("reason", erasure.reason)
      $0.member("requestedAt", erasure.requestedAt)
      $0.member("requestedBy", erasure.requestedBy)
      $0.member("finishedAt", finishedAt)
      $0.object("removed") {
        $0.member("sessions", erasure.counts["sessions"] ?? 0)
        for (count, name) in Self.stores { $0.member(name, erasure.counts[count] ?? 0) }
        $0.object("rows") {
          for (table, count) in erasure.counts.sorted(by: { $0.key < $1.key }) where !beside.contains(table) {
            $0.member(table, count)
          }
        }
      }
      $0.array("remains") {
        for remains in Self.remains(erasure, forwarders, bucket) + besides { remains.write(to: &$0) }
      }
    }
    text = String(buffer: json.buffer)
  }

  /// Something that was not removed.
  struct Remains: Sendable {
    var what: String
    var why: String
    var count: Int64?
    /// Milliseconds since 1970.
    var until: Int64?

    fileprivate func write(to json: inout JSONOutput) {
      json.object {
        $0.member("what", what)
        $0.member("why", why)
        $0.member("count", count)
        $0.member("until", until)
      }
    }
  }

  private static func remains(_ erasure: Erasure, _ forwarders: [String], _ bucket: String?) -> [Remains] {
    var all = [
      Remains(
        what: "marks", why: "keyed hashes of names, so that what a phone still holds is not taken in", count: nil,
        until: erasure.marksEnd),
      Remains(
        what: "launches", why: "random numbers of processes with counts, which lead to nobody", count: nil,
        until: erasure.marksEnd),
      Remains(
        what: "backups", why: "made before: this collector cannot reach into them; erase again after restoring one",
        count: nil, until: nil),
    ]
    if let bucket {
      all.append(
        Remains(
          what: "versions",
          why:
            "where the bucket keeps versions, packs that were removed are old ones until its rules end them: \(bucket)",
          count: nil, until: nil))
    }
    if let named = erasure.counts["configuration_named"], named > 0 {
      all.append(
        Remains(
          what: "configuration",
          why: "documents set for apps, or what they were before, have the name as a value: an operator put it there",
          count: named, until: nil))
    }
    if let audited = erasure.counts["audit"], audited > 0 {
      all.append(
        Remains(
          what: "audit", why: "who looked at it stays provable until entries end by themselves", count: audited,
          until: nil))
    }
    if !forwarders.isEmpty {
      all.append(
        Remains(
          what: "forwarded",
          why: "what was sent before is where these forwarders lead: \(forwarders.joined(separator: ", "))",
          count: nil, until: nil))
    }
    return all
  }
}
