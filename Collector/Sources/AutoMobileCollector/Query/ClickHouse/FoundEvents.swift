import AutoMobileClickHouse
import Foundation

/// Finds events by what ClickHouse can say of them, and where that is not all, by what is in them.
extension ClickHouseReading {
  /// Of one session; more are not looked through.
  private static let most = 500_000
  /// Read at once, to look at what is in them.
  private static let chunk = 500
  private static let chunkBytes = 8 << 20

  /// The places of the first so many that are meant, in the order of the rows.
  ///
  /// - Returns: besides, whether these are all.
  func places(
    _ rows: DistinctRows, _ question: EventQuestion, limit: Int
  ) async throws -> (places: [EventPlace], isWhole: Bool) {
    var rows = rows
    rows.limit = question.rest == nil ? limit : Self.most
    let selected: [SQL] = ["project", "session", "id", "timestamp"]
    let found = try await self.rows(distinct(rows, selecting: selected)) { try EventPlace(&$0) }
    guard let rest = question.rest else { return (found, found.count < limit) }
    var meant: [EventPlace] = []
    var next = 0
    while next < found.count, meant.count < limit {
      let (places, count) = try await tested(found[next...], rest)
      meant += places
      next += count
    }
    let isWhole = meant.count < limit && found.count < Self.most
    return (Array(meant.prefix(limit)), isWhole)
  }

  /// Those of them that are meant, all of them.
  func meant(_ places: [EventPlace], _ condition: EventCondition) async throws -> Set<Int64> {
    var meant: Set<Int64> = []
    var next = 0
    while next < places.count {
      let (found, count) = try await tested(places[next...], condition)
      meant.formUnion(found.map(\.id))
      next += count
    }
    return meant
  }

  /// Looks at some of them.
  ///
  /// - Returns: those that are meant, and how many have been looked at.
  func tested(
    _ places: ArraySlice<EventPlace>, _ condition: EventCondition
  ) async throws -> (meant: [EventPlace], looked: Int) {
    var chunk = Array(places.prefix(Self.chunk))
    guard !chunk.isEmpty else { return ([], 0) }
    let lengths = Dictionary(
      try await rows(copies("id, length(payload)", exactly: chunk)) {
        (try $0.int(Int64.self), Int(clamping: try $0.int(UInt64.self)))
      }, uniquingKeysWith: { first, _ in first })
    var left = Self.chunkBytes
    chunk = Array(
      chunk.prefix { place in
        defer { left -= lengths[place.id] ?? 0 }
        return left > 0
      })
    let columns = condition.columns.map { "toUInt8(ifNull(\($0), 0))" as SQL }
    let selected = SQL.joined(["id", "payload"] + columns, ", ")
    let answers = try await rows(copies(selected, exactly: chunk)) { row in
      let id: Int64 = try row.int()
      let payload = Data(buffer: try row.bytes())
      let answers = try columns.map { _ in try row.bool() }
      return (id, condition.holds(payload, answers))
    }
    let meant = Set(answers.filter(\.1).map(\.0))
    return (chunk.filter { meant.contains($0.id) }, chunk.count)
  }
}
