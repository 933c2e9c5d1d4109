import Foundation
import GRDB

/// The newest events, read one by one before the full text index is asked.
///
/// What is common is found here at once. And a word that is in very many events is not to be asked for as a beginning: the
/// index puts together all places of all words that begin like that before it gives out the first one, and cannot be
/// stopped. Where types are asked for of which there are few events, these are all that is read, however old they are.
struct NewestSample {
  /// The newest that match, at most as many as were wanted.
  private(set) var found: [Int64] = []
  /// Whether it has read all that there is.
  private(set) var isComplete = true
  /// The words that are in very many events, as far as one can tell from the newest ones.
  private(set) var commonWords: Set<String> = []

  /// Events that it reads.
  private static let size = 2000
  /// Bytes of events that it reads.
  private static let bytes = 16 << 20
  /// Events from which on a word is common: the index puts so many together in some milliseconds.
  private static let common = 100_000.0

  init(
    _ terms: EventTerms, _ filter: EventFilter, before end: Int64, limit: Int, maximumDepth: Int,
    in database: Database
  ) throws {
    let test = SearchCondition.all(terms.others)
    let groups = [terms.leading].compactMap(\.self) + terms.ambiguous.map(\.pattern)
    let meanings = (terms.leading == nil ? [] : [SearchCondition.never]) + terms.ambiguous.map(\.meaning)
    let words = groups.flatMap(\.words)
    let finder = WordFinder(words)
    let names = Set(filter.types)
    let session = try filter.session.map {
      try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [$0]) ?? -1
    }
    let rare = try Self.rare(filter.types, database)
    // Without the plus, SQLite goes through all events in their order.
    let place = rare.map { "event.type IN (\($0.map(String.init).joined(separator: ","))) AND +event.id < ?" }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT event.id, event.payload, event_type.name, event.session, \(([test] + meanings).map(\.sql).joined(separator: ", "))
        FROM event JOIN event_type ON event_type.id = event.type
        WHERE \(place ?? "event.id < ?") ORDER BY \(place == nil ? "" : "+")event.id DESC LIMIT \(Self.size)
        """, arguments: meanings.reduce(test.arguments) { $0 + $1.arguments } + [end])
    var seen = 0
    var left = Self.bytes
    var counts = words.map { _ in 0 }
    while found.count < limit, left > 0, let row = try rows.next() {
      let type: String = row[2]
      let payload: Data = row[1]
      left -= payload.count
      let text = payload.withUnsafeBytes {
        SearchText.words(of: $0, isBreadcrumb: type == EventTypes.breadcrumb, maximumDepth: maximumDepth)
      }
      let hits = finder.find(in: text)
      seen += 1
      isComplete = seen < Self.size && left > 0
      for index in hits.indices where hits[index] { counts[index] += 1 }
      var rest = hits[...]
      let isMeant = zip(groups, 5...).allSatisfy { group, column in
        let isSaid = rest.prefix(group.words.count).allSatisfy(\.self)
        rest = rest.dropFirst(group.words.count)
        return isSaid || row[column] as Bool? == true
      }
      guard isMeant, names.isEmpty || names.contains(type), session == nil || session == row[3],
        row[4] as Bool? == true
      else {
        continue
      }
      found.append(row[0])
    }
    guard !isComplete, rare == nil else { return }
    let events = Double(end) / Double(seen)
    commonWords = Set(zip(words, counts).filter { Double($0.1) * events > Self.common }.map(\.0))
  }

  /// The types' numbers, where there are fewer events of them than it reads; nil where there are more, and where none is asked for.
  private static func rare(_ types: [String], _ database: Database) throws -> [Int64]? {
    guard !types.isEmpty else { return nil }
    let marks = types.map { _ in "?" }.joined(separator: ",")
    let numbers = try Int64.fetchAll(
      database, sql: "SELECT id FROM event_type WHERE name IN (\(marks))", arguments: StatementArguments(types))
    let list = numbers.map(String.init).joined(separator: ",")
    let count = try Int.fetchOne(
      database, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM event WHERE type IN (\(list)) LIMIT \(size))")
    return (count ?? 0) < size ? numbers : nil
  }
}
