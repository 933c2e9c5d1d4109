import AutoMobilePostgres
import AutoMobileState
import Foundation

/// Moves the state of a data directory into an empty PostgreSQL database.
///
/// It is one transaction: whatever ends in between, there is all of it or nothing. The row with the state's name comes first, so that a
/// collector that starts on the same database meanwhile waits, and does not begin a state of its own. Then it is compared (``check()``), and
/// at last the directory is told (``settle()``). All of it waits on the thread that it is called on.
package final class StateMove: Sendable {
  /// How far it is.
  package struct Progress: Sendable {
    package var table: String
    package var rows: Int
  }

  package enum Outcome: Sendable, Equatable {
    /// How many rows; and where something stands in place of what PostgreSQL does not keep in texts: U+FFFD for the character NUL, and
    /// for bytes that are no UTF-8.
    case moved(rows: Int, replaced: [String])
    /// It is there already, and the same.
    case wasMoved
  }

  let store: EventStore
  let target: any StateStore
  private let directory: DataDirectory?
  private let place: Int64?

  /// In one statement.
  private static let mostValues = 2000

  /// Takes the data directory for itself.
  ///
  /// - Parameters:
  ///   - to: `postgres://…`; its tables are made.
  ///   - place: from where forwarders and alerts look on, when telemetry moves, too, and numbers of the index say nothing any more.
  /// - Throws: ``CollectorError`` when a collector uses the directory, when there is none, and when PostgreSQL cannot be used.
  package convenience init(data url: URL, to: StatePlace, password: String? = nil, place: Int64? = nil) throws {
    guard FileManager.default.fileExists(atPath: url.appending(path: "index.sqlite").path) else {
      throw CollectorError.directoryUnusable(path: url.path, reason: "there is no collector's data in it")
    }
    guard case .postgres(let address) = to else {
      throw CollectorError.stateUnusable(reason: "a state moves to postgres://USER@HOST/DATABASE")
    }
    let directory = try DataDirectory(url)
    let hasFullText: Bool = try {
      let reader = try EventStore(reading: directory.index)
      defer { try? reader.close() }
      return reader.hasFullText
    }()
    let store = try EventStore(path: directory.index, fullText: hasFullText, maximumDepth: CollectorLimits().jsonDepth)
    do {
      var options = PostgresOptions(url: address)
      (options.password, options.patience) = (password, .seconds(120))
      self.init(store: store, to: try PostgresState(options), directory: directory, place: place)
    } catch {
      try? store.close()
      directory.release()
      guard let error = error as? StateError else { throw error }
      throw CollectorError.stateUnusable(reason: error.description)
    }
  }

  /// - Parameter store: which has its state in its file; whoever opened it holds its directory.
  init(store: EventStore, to target: any StateStore, directory: DataDirectory? = nil, place: Int64? = nil) {
    (self.store, self.target, self.directory, self.place) = (store, target, directory, place)
  }

  package func close() {
    try? target.close()
    if let directory {
      try? store.close()
      directory.release()
    }
  }

  /// - Throws: ``CollectorError`` when something else is there; ``StateError`` when PostgreSQL does not take it. Then nothing was moved.
  package func move(_ onProgress: (Progress) -> Void = { _ in }) throws -> Outcome {
    let identity = try identity()
    if try isSettled(identity) { return .wasMoved }
    let (there, issuer) = try target.readNow { state in
      (try Self.found(in: state), try state.value("SELECT issuer FROM configuration_store") as String?)
    }
    if !there.isEmpty {
      guard issuer == identity else { throw Self.notEmpty(target, there) }
      let differences = try check(most: 1)
      guard differences.isEmpty else {
        throw CollectorError.stateUnusable(
          reason: """
            this state was moved to \(target.place) already, and one of the two has changed since: \(differences[0]). Go on with that \
            one, or begin again with an empty database
            """)
      }
      return .wasMoved
    }
    let source = try source()
    return try target.writeNow { state in
      // Somebody else may have been quicker.
      let there = try Self.found(in: state.reading)
      guard there.isEmpty else { throw Self.notEmpty(target, there) }
      // It may be run again.
      var source = source
      var count = 0
      for table in MovedTable.all {
        count += try Self.copy(table, from: &source, into: state) {
          onProgress(Progress(table: table.name, rows: count + $0))
        }
      }
      let replaced = source.replaced.map { "\(StateDifference.name($0.table, $0.key)), \($0.column)" }.sorted()
      return .moved(rows: count, replaced: replaced)
    }
  }

  /// Which tables have rows there, of a state that is not this directory's.
  package func others() throws -> [String] {
    let identity = try identity()
    return try target.readNow { state in
      let issuer: String? = try state.value("SELECT issuer FROM configuration_store")
      return issuer == identity ? [] : try Self.found(in: state)
    }
  }

  /// What the data directory had when it was opened here, with its own rows as PostgreSQL will have them.
  func source() throws -> MoveSource {
    let place = try BlobMark.known(in: store.own)
    return MoveSource(
      store, place: self.place,
      directory: place == BlobPlace.folder.mark ? try BlobMark.directory(in: store.own) : nil)
  }

  private func identity() throws -> String {
    guard
      let identity = try store.state.readNow({ try $0.value("SELECT issuer FROM configuration_store") as String? })
        ?? settled()?.identity
    else {
      throw CollectorError.directoryUnusable(
        path: store.own.place, reason: "no collector has run with it, so there is nothing to move")
    }
    return identity
  }

  /// - Throws: ``CollectorError`` when the state is in a third place.
  private func isSettled(_ identity: String) throws -> Bool {
    guard let settled = try settled() else { return false }
    let issuer = try target.readNow { try $0.value("SELECT issuer FROM configuration_store") as String? }
    guard issuer == settled.identity else {
      throw CollectorError.stateElsewhere(known: settled.place, given: target.place)
    }
    return true
  }

  // MARK: Into PostgreSQL

  private static func copy(
    _ table: MovedTable, from source: inout MoveSource, into state: borrowing StateWriting, _ onProgress: (Int) -> Void
  ) throws -> Int {
    let most = mostValues / table.columns.count
    var (last, count) = (nil as [StateValue]?, 0)
    while true {
      let rows = try source.rows(of: table, after: last, most: most)
      guard let row = rows.last else { break }
      last = Array(row.values.prefix(table.keys))
      try insert(rows, into: table, state)
      count += rows.count
      onProgress(count)
      if rows.count < most { break }
    }
    if table.isNumbered {
      let number = try source.lastNumber(of: table)
      if number > 0 {
        _ = try state.rows("SELECT setval(pg_get_serial_sequence(?1, 'id'), ?2)", table.name, number)
      }
    }
    return count
  }

  private static func insert(_ rows: [StateRow], into table: MovedTable, _ state: borrowing StateWriting) throws {
    let width = table.columns.count
    let marks = rows.indices.map { row -> StateSQL in
      let marks = (1...width).map { "\(value: row * width + $0)" as StateSQL }
      return "(\(marks.joined(separator: ", ")))"
    }
    do {
      _ = try state.rows(
        "INSERT INTO \(table.sql)(\(table.list)) VALUES \(marks.joined(separator: ", "))",
        values: rows.flatMap(\.values))
    } catch let error as StateError where error.isOfValues {
      // What the server says has values in it.
      throw StateError(error.kind, "PostgreSQL does not take the rows of \(table.name): nothing was moved")
    }
  }

  // MARK: What is there

  private static func found(in state: borrowing StateReading) throws -> [String] {
    var found: [String] = []
    for table in MovedTable.all {
      let count: Int = try state.value("SELECT COUNT(*) FROM \(table.sql)") ?? 0
      if count > 0 { found.append("\(table.name) (\(count))") }
    }
    return found
  }

  private static func notEmpty(_ target: any StateStore, _ there: [String]) -> CollectorError {
    CollectorError.stateUnusable(
      reason: """
        the database at \(target.place) has a state of its own: rows of \(there.joined(separator: ", ")). A state moves into an empty \
        database
        """)
  }
}
