import AutoMobileClickHouse
import AutoMobileJournal
import Foundation

extension TelemetryMove {
  /// Where index and ClickHouse are not the same.
  package struct Difference: Sendable, CustomStringConvertible {
    package var description: String
  }

  package struct Checked: Sendable {
    /// Events that are there, and the same.
    package var same = 0
    /// Of somebody who was erased: they must not be there.
    package var erased = 0
    /// That cannot be read; they are in quarantine.
    package var unreadable = 0
    package var differences: [Difference] = []
  }

  /// Compares each event: its project, session, launch, position, type, times and bytes.
  ///
  /// - Parameter most: differences after which it ends.
  /// - Throws: ``CollectorError`` when it has not been moved there, or not to its end.
  package func check(most: Int = 20, onProgress: (Progress) -> Void = { _ in }) async throws -> Checked {
    guard let progress = try MoveProgress.read(moved.path), progress.isDone else {
      throw CollectorError.telemetryUnusable(
        reason: "this directory has not been moved, or not to its end: automobile store move does that")
    }
    try progress.check(address)
    let marks = try await offLoop { [marks] in try marks.current() }
    let reader = MoveReader(
      store: moved.store, most: MoveReader.Most(events: min(self.most.events, 4000), bytes: self.most.bytes))
    var (event, checked, shown) = (Int64(0), Checked(), Progress(all: try await reader.count()))
    while checked.differences.count < most {
      let events = try reader.events(after: event)
      guard let last = events.last else { break }
      event = last.id
      let found = try await there(events.map(\.event))
      let missing = events.filter { found[Name($0.event)] == nil && !$0.isErased(marks) }
      let unreadable = try await inQuarantine(missing.map(\.event))
      for indexed in events where checked.differences.count < most {
        let event = indexed.event
        switch found[Name(event)] {
        case event: checked.same += 1
        case nil where unreadable.contains(Name(event)): checked.unreadable += 1
        case nil where indexed.isErased(marks): checked.erased += 1
        case nil: checked.differences.append(Difference(description: "\(Name(event)) is not there"))
        case let other?:
          checked.differences.append(
            Difference(description: "\(Name(event)) is another one: \(Self.unlike(other, event))"))
        }
      }
      shown.done += events.count
      onProgress(shown)
    }
    return checked
  }

  /// As its app names it.
  private struct Name: Hashable, Sendable, CustomStringConvertible {
    var project: String
    var launch: String
    var position: Int64

    init(_ event: MoveReader.Event) { (project, launch, position) = (event.project, event.launch, event.position) }
    init(project: String, launch: String, position: Int64) {
      (self.project, self.launch, self.position) = (project, launch, position)
    }

    var description: String { "event \(position) of launch \(launch)" }
  }

  /// Which columns; what is in them is nobody's business here.
  private static func unlike(_ one: MoveReader.Event, _ other: MoveReader.Event) -> String {
    let columns: [(String, Bool)] = [
      ("session", one.session == other.session), ("timestamp", one.timestamp == other.timestamp),
      ("received", one.received == other.received), ("type", one.type == other.type),
      ("payload", one.payload == other.payload),
    ]
    return columns.filter { !$0.1 }.map(\.0).joined(separator: ", ")
  }

  /// Where they are, in the order of the tables' keys; then by their names.
  private static func range(of events: [MoveReader.Event], sessions: Bool) -> SQL {
    func texts(_ values: [String]) -> SQL { "(SELECT arrayJoin(\(SQLValue.strings(Array(Set(values)).sorted()))))" }
    let session: SQL = sessions ? "AND `session` IN \(texts(events.map(\.session)))" : ""
    return """
      `project` IN \(texts(events.map(\.project))) \(session) AND `launch` IN \(texts(events.map(\.launch))) \
      AND `position` IN (SELECT arrayJoin(\(SQLValue.ints(Array(Set(events.map(\.position)))))))
      """
  }

  private func there(_ events: [MoveReader.Event]) async throws -> [Name: MoveReader.Event] {
    let rows = try await cluster.client.rows(
      """
      SELECT `project`, `session`, `launch`, `position`, `timestamp`, `received`, toString(`type`), `payload` \
      FROM \(cluster.readable(TelemetryTables.events)) WHERE \(Self.range(of: events, sessions: true)) \
      ORDER BY `project`, `launch`, `position`, `id` LIMIT 1 BY `project`, `launch`, `position`
      """
    ) { row in
      MoveReader.Event(
        project: try row.string(), session: try row.string(), launch: try row.string(),
        position: try row.int(Int64.self), timestamp: try row.int(Int64.self), received: try row.int(Int64.self),
        type: try row.string(), payload: Data(buffer: try row.bytes()))
    }
    return Dictionary(rows.map { (Name($0), $0) }) { one, _ in one }
  }

  private func inQuarantine(_ events: [MoveReader.Event]) async throws -> Set<Name> {
    guard !events.isEmpty else { return [] }
    return Set(
      try await cluster.client.rows(
        """
        SELECT DISTINCT `project`, `launch`, `position` FROM \(cluster.readable(TelemetryTables.quarantine)) \
        WHERE \(Self.range(of: events, sessions: false))
        """
      ) { row in
        Name(project: try row.string(), launch: try row.string(), position: try row.int(Int64.self))
      })
  }
}

extension MoveReader.Indexed {
  /// As who moves it finds it (``TelemetryRows/checkErased(_:_:at:_:)``).
  fileprivate func isErased(_ marks: ErasedNames?) -> Bool {
    guard let marks else { return false }
    let owner = DataOwner(name: event.project)
    if marks.isErased(session: event.session, of: owner) { return true }
    guard let context = context?.withUnsafeBytes({ try? ContextRecord(json: $0) }),
      let at = marks.mark(of: context, owner)
    else { return false }
    return event.timestamp <= at
  }
}
