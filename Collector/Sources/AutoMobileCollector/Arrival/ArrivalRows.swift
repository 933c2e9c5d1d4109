import AutoMobileState

/// The rows of ``ArrivalTables``.
enum ArrivalRows {
  private static let columns: StateSQL = "place, writer, first, last"

  private static func range(_ row: StateRow) throws -> ArrivalRange {
    try ArrivalRange(place: row[0], writer: row[1], first: row[2], last: row[3])
  }

  // MARK: Reading

  /// Where the next range begins.
  static func end(in state: borrowing StateReading) throws -> Int64 {
    try state.row("SELECT \(columns) FROM arrival ORDER BY place DESC LIMIT 1").map(range)?.end ?? 0
  }

  /// What came after a place, at most so many ranges of it.
  static func slice(after place: Int64, most: Int, in state: borrowing StateReading) throws -> ArrivalSlice {
    let rows = try state.rows(
      """
      SELECT \(columns) FROM arrival WHERE place >= COALESCE((SELECT MAX(place) FROM arrival WHERE place <= ?1), 0)
      ORDER BY place LIMIT ?2
      """, place, most + 1
    ).map(range)
    let ranges = rows.prefix(most).compactMap { $0.part(after: place) }
    let isLast = rows.count <= most
    // Of a state that was set back, or of another one, nothing is known here: then it begins where that ends.
    let known = rows.last?.end ?? 0
    return ArrivalSlice(ranges: ranges, end: ranges.last?.end ?? (isLast ? min(place, known) : place), isLast: isLast)
  }

  /// The ranges before a place that have numbers above one, in the order of their places.
  static func ranges(before place: Int64, above number: Int64, in state: borrowing StateReading) throws
    -> [ArrivalRange]
  {
    try state.rows("SELECT \(columns) FROM arrival WHERE last > ?1 AND place < ?2 ORDER BY place", number, place)
      .map(range)
  }

  /// The ranges in which these numbers are, by the number; what nobody has said to be there yet is not in it.
  static func places(of numbers: [Int64], in state: borrowing StateReading) throws -> [Int64: Int64] {
    var places: [Int64: Int64] = [:]
    for (writer, numbers) in Dictionary(grouping: numbers, by: { $0 % FrameNumbers.step }) {
      guard let least = numbers.min(), let greatest = numbers.max() else { continue }
      let ranges = try state.rows(
        "SELECT \(columns) FROM arrival WHERE writer = ?1 AND last >= ?2 AND first < ?3", writer, least, greatest
      ).map(range)
      for number in numbers { places[number] = ranges.first { $0.has(number) }?.place(of: number) }
    }
    return places
  }

  /// The last number that a writer has said to be there; one below 0 when there is none.
  static func last(of writer: Int64, in state: borrowing StateReading) throws -> Int64 {
    let start = ArrivalRange.start(of: writer)
    return try state.value("SELECT COALESCE(MAX(last), ?2) FROM arrival WHERE writer = ?1", writer, start) ?? start
  }

  /// The last number that each writer has said to be there, of those that have said anything.
  static func lasts(in state: borrowing StateReading) throws -> [Int64: Int64] {
    let rows = try state.rows("SELECT writer, MAX(last) FROM arrival GROUP BY writer")
    var lasts: [Int64: Int64] = [:]
    for row in rows {
      let (writer, last): (Int64, Int64) = try (row[0], row[1])
      lasts[writer] = last
    }
    return lasts
  }

  // MARK: Writing

  /// All records of a writer up to a number are there. Said once more, it changes nothing.
  ///
  /// - Returns: whether that was news.
  @discardableResult
  static func publish(
    upTo number: Int64, by writer: Int64, at now: Int64, in state: borrowing StateWriting
  ) throws -> Bool {
    let first = try Self.last(of: writer, in: state.reading)
    // The last number of this writer that is not above it.
    let last = number - (number - writer) % FrameNumbers.step
    guard number >= writer, last > first else { return false }
    let place = try end(in: state.reading)
    try state.execute(
      "INSERT INTO arrival(place, writer, first, last, at) VALUES (?1, ?2, ?3, ?4, ?5)", place, writer, first, last, now
    )
    try state.tell(.tail)
    return true
  }
}
