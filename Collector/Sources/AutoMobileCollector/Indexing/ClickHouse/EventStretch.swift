import AutoMobileClickHouse

/// Counts a launch's events as they come, so that nobody has to read them to know how many there are: ``EventCountTable`` says how, and
/// `CountedStretches` what is made of it.
struct EventStretch {
  /// What it has of a session.
  private struct Session {
    let name: String
    let shard: UInt64
    let id: Int64
    var stored: Int64 = 0
    var events: Int64 = 0
    var errors: Int64 = 0
    var types: [(name: String, hash: UInt64, count: Int64)] = []
    var failures = KeptFailures()
    private var places: [String: Int] = [:]
    private var latest = 0

    init(_ columns: RecordColumns) { (name, shard, id) = (columns.session, columns.shard, columns.id) }

    var nothing: Session {
      var nothing = self
      (nothing.stored, nothing.events, nothing.errors, nothing.types, nothing.failures) = (0, 0, 0, [], KeptFailures())
      return nothing
    }

    /// - Returns: a number made of the type.
    mutating func add(_ type: String, _ failure: KeptFailure?) -> UInt64 {
      if type != EventTypes.breadcrumb {
        stored += 1
        if type != EventTypes.summary {
          events += 1
          if let failure {
            errors += 1
            failures.add(failure)
          }
        }
      }
      // Most are of the type of the one before.
      if types.isEmpty || types[latest].name != type {
        if let known = places[type] {
          latest = known
        } else {
          latest = types.count
          places[type] = latest
          types.append((type, ShardKey.of(project: "", session: type), 0))
        }
      }
      types[latest].count += 1
      return types[latest].hash
    }
  }

  private let areBreadcrumbs: Bool
  private var sessions: [Session] = []
  private var places: [String: Int] = [:]
  private var latest = 0
  private var project = ""
  private var launch = ""
  private var (received, day): (Int64, Int64) = (0, 0)
  private var (least, greatest): (Int64, Int64) = (0, 0)
  private var whole: UInt64 = 0
  /// Its positions do not ascend: where somebody else gave them, as in what comes by OpenTelemetry, every other one goes back. One
  /// stretch has all of these, of which only their events can say how many there are.
  private var isMixed = false

  init(areBreadcrumbs: Bool) { self.areBreadcrumbs = areBreadcrumbs }

  /// - Parameters:
  ///   - failure: of an error.
  ///   - rows: take the stretch before it, when this one begins another.
  mutating func add(_ columns: RecordColumns, type: String, _ failure: KeptFailure?, to rows: inout ShardedRows) {
    let day = columns.day
    let isAnother = sessions.isEmpty || columns.received != received || day != self.day
    if isAnother || (columns.position <= greatest && !isMixed) {
      end(&rows)
      isMixed = !isAnother
      (project, launch) = (columns.project, columns.launch)
      (received, self.day, least, greatest) = (columns.received, day, columns.position, columns.position)
    }
    (least, greatest) = (min(least, columns.position), max(greatest, columns.position))
    if sessions.isEmpty || sessions[latest].name != columns.session {
      if let known = places[columns.session] {
        latest = known
      } else {
        latest = sessions.count
        places[columns.session] = latest
        sessions.append(Session(columns))
      }
    }
    let hash = sessions[latest].add(type, failure)
    whole &+= Self.mixed(UInt64(bitPattern: columns.position), hash &+ columns.shard, failure != nil)
  }

  /// The same in whichever process, and whatever came before: the sum of these says what a stretch has.
  private static func mixed(_ position: UInt64, _ hash: UInt64, _ isError: Bool) -> UInt64 {
    var mixed = (position &* 0x9E37_79B9_7F4A_7C15) ^ (isError ? ~hash : hash)
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ (mixed >> 33)
  }

  mutating func end(_ rows: inout ShardedRows) {
    for session in sessions {
      write(session, whole, to: &rows)
      // Nothing else, in the same place: stretches that overlap.
      if isMixed { write(session.nothing, whole &+ 1, to: &rows) }
    }
    sessions.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    (latest, whole, isMixed) = (0, 0, false)
  }

  private func write(_ session: Session, _ whole: UInt64, to rows: inout ShardedRows) {
    rows.append(session.shard) { row in
      row.string(project)
      row.string(session.name)
      row.string(launch)
      row.int(session.id)
      row.bool(areBreadcrumbs)
      row.int(least)
      row.int(greatest)
      row.int(whole)
      row.int(session.stored)
      row.int(session.events)
      row.int(session.errors)
      row.array(session.types) { $0.string($1.name) }
      row.array(session.types) { $0.int($1.count) }
      row.int(received)
      row.day(day)
      session.failures.write(&row)
    }
  }
}
