import AutoMobileState
import Foundation
import GRDB

@testable import AutoMobileCollector

/// Indexes of several collectors, and the state that they share, each in a database of its own; without the collectors.
struct SharedIndexes {
  static let app = "dev.example.shop"

  let directory: TemporaryDirectory
  let truth: EventStore
  let indexes: [Member]
  /// As the configuration's store has it.
  private static let identity = "one"

  /// An index, and how it gets to the state.
  struct Member {
    let store: EventStore
    let state: BreakingState
  }

  static func with(_ count: Int = 2, _ body: (SharedIndexes) async throws -> Void) async throws {
    let shared = try SharedIndexes(count)
    try await body(shared)
    for member in shared.indexes { try member.store.close() }
    try shared.truth.close()
  }

  private init(_ count: Int) throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    func path(_ name: String) -> String { directory.url.appending(path: name).path }
    let truth = try EventStore(path: path("state.sqlite"), fullText: false, maximumDepth: 64)
    self.truth = truth
    try truth.own.writeNow { _ = try ConfigurationTables.issuer(in: $0, new: Self.identity) }
    indexes = try (0..<count).map { number in
      try FileManager.default.createDirectory(atPath: path("\(number)"), withIntermediateDirectories: true)
      let state = BreakingState(truth.own)
      let store = try EventStore(
        path: path("\(number)/index.sqlite"), fullText: false, maximumDepth: 64, state: state)
      try StateMark.set(Self.identity, in: store)
      return Member(store: store, state: state)
    }
  }

  func directory(of number: Int) -> URL { directory.url.appending(path: "\(number)") }

  func stated(_ sql: StateSQL, _ values: any StateConvertible...) throws -> [StateRow] {
    try truth.own.readNow { try $0.rows(sql, values: values.map(\.stateValue)) }
  }
}

extension SharedIndexes.Member {
  /// A report that has come, as the indexer and the symbolizer leave it.
  ///
  /// - Returns: its fingerprint.
  @discardableResult
  func add(_ event: Int64, _ message: String, at timestamp: Int64 = 1000, received: Int64 = 1000) throws -> String {
    let json = """
      {"eventType":"handled_exception","timestamp":\(timestamp),"errorDomain":"Failure","customMessage":"\(message)",\
      "stackTrace":"0 \(message)Function","appVersion":"2.1"}
      """
    return try store.pool.write { database in
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO session(id, sessionId, given) VALUES (1, 's-1', 's-1');
          INSERT OR IGNORE INTO event_type(id, name) VALUES (1, 'handled_exception');
          INSERT INTO event(id, launch, sequence, session, type, timestamp, received, payload)
            VALUES (\(event), 1, \(event), 1, 1, \(timestamp), \(received), x'');
          """)
      try Data(json.utf8).withUnsafeBytes {
        try IssueWriter(database).add(
          .init(
            id: event, session: 1, timestamp: timestamp, type: "handled_exception", bundleId: SharedIndexes.app), $0)
      }
      try database.execute(sql: "DELETE FROM report_image WHERE build = ''")
      return try String.fetchOne(
        database, sql: "SELECT fingerprint FROM issue_event WHERE event = ?", arguments: [event]) ?? ""
    }
  }

  func count(_ sql: String) throws -> Int { try store.pool.read { try Int.fetchOne($0, sql: sql) ?? -1 } }
}
