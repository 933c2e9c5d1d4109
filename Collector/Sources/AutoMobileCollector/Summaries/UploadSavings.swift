/// What devices keep instead of sending it, by app and week: kept bytes against bytes sent.
///
/// A device tells how much room a launch takes up there, which is whole files: more than its events have. So what is not sent counts as
/// its events' number times what events of the app have here on average, and never as more than that room.
struct UploadSavings {
  struct Week: Summable {
    var launches: Int64 = 0
    var sentEvents: Int64 = 0
    var sentBytes: Int64 = 0
    var keptEvents: Int64 = 0
    /// The room on devices.
    var keptBytes: Int64 = 0
    /// Kept events and their room, launch by launch, until the average is known.
    var kept: [(events: Int64, bytes: Int64)] = []

    var count: Int64 { launches }

    mutating func add(_ other: Week) {
      launches += other.launches
      sentEvents &+= other.sentEvents
      sentBytes &+= other.sentBytes
      keptEvents &+= other.keptEvents
      keptBytes &+= other.keptBytes
      kept += other.kept
    }

    /// In bytes; nothing where no event has come that could tell how large they are.
    var saved: Int64 {
      guard sentEvents > 0 else { return 0 }
      let mean = Double(sentBytes) / Double(sentEvents)
      // Compared before it is made whole: what a ledger claims may be more than a number can be.
      return kept.reduce(0) { $0 &+ Int64(min(Double($1.bytes), mean * Double($1.events)).rounded()) }
    }
  }

  struct Key: Hashable {
    var app: String
    /// When it begins: a Monday, UTC; in milliseconds since 1970.
    var week: Int64
  }

  /// How far back it goes when nobody says, in weeks: as long as devices' words are remembered.
  static let weeks: Int64 = 8
  static let mostRows = 500
  /// Of one launch.
  static let mostEvents: Int64 = 1_000_000_000_000
  static let week: Int64 = 7 * HealthFilter.day
  /// The first Monday after 1970 began.
  static let monday: Int64 = 4 * HealthFilter.day

  let rows: [(app: String, week: Int64, sums: Week)]
  let isPartial: Bool
  let filter: HealthFilter

  func write(to json: inout JSONOutput) {
    var all = Week()
    var saved: Int64 = 0
    for row in rows {
      all.add(row.sums)
      saved &+= row.sums.saved
    }
    json.object {
      $0.member("from", filter.from)
      $0.member("to", filter.to)
      Self.write(all, saved, to: &$0)
      $0.member("partial", isPartial)
      $0.array("weeks") {
        for row in rows {
          $0.object {
            $0.member("week", row.week)
            $0.member("bundleId", row.app.isEmpty ? nil : row.app)
            Self.write(row.sums, row.sums.saved, to: &$0)
          }
        }
      }
    }
  }

  static func write(_ sums: Week, _ saved: Int64, to json: inout JSONOutput) {
    json.member("sentEvents", sums.sentEvents)
    json.member("sentBytes", sums.sentBytes)
    json.member("keptEvents", sums.keptEvents)
    json.member("keptBytes", sums.keptBytes)
    json.member("savedBytes", saved)
  }
}
