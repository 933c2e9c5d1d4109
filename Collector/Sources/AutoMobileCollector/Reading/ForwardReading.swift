/// Asks for what is passed on, in the order in which it came. Where it goes on is a place in that order: a number, whose meaning is the
/// store's.
protocol ForwardReading: Sendable {
  /// Where somebody begins who wants what comes from now on.
  ///
  /// - Parameter scope: for whom it is asked; nil: for the collector itself.
  func newest(_ scope: ReadScope?) async throws -> Int64

  /// What is wanted of what came after a place.
  ///
  /// - Parameters:
  ///   - records: at most so many.
  ///   - thread: for what holds a thread up.
  func look(
    after cursor: Int64, _ filter: ForwardFilter, records: Int, _ limits: ForwardLimits, on thread: QuietThread
  ) async throws -> ForwardLook

  /// How many events came after each of some places, whether wanted or not.
  ///
  /// - Parameter scope: as of ``newest(_:)``.
  func behind(_ scope: ReadScope?, _ cursors: Set<Int64>) async throws -> [Int64: Int64]

  /// Where to go on so that no more than so many events wait; nil: no more do.
  func place(leaving most: Int64, after cursor: Int64) async throws -> Int64?

  /// How many records are wanted after a place, up to another one, and no more of it than one look takes.
  ///
  /// - Returns: and where the count ended.
  func count(
    after cursor: Int64, upTo end: Int64, _ filter: ForwardFilter, _ limits: ForwardLimits, on thread: QuietThread
  ) async throws -> (count: Int, end: Int64)

  /// So far a lane goes without anything wanted before that is noted down.
  func stride(_ limits: ForwardLimits) -> Int64
}

/// What one look found.
struct ForwardLook: Sendable {
  /// Events of one context in one session: what is said of all of them stands once.
  struct Group: Sendable {
    var rows: [(row: OutgoingRow, launch: String)] = []
    var context: OutgoingContext
  }

  var groups: [Group] = []
  /// The place up to which everything is in it, or not wanted.
  var end: Int64
  /// Whether there was nothing behind it.
  var isLast = false
}
