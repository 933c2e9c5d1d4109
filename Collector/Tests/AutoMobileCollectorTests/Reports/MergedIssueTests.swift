import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// Merged issues in the index itself, where reports can be deleted and their fingerprints change.
@Suite struct `Merged issues in the index` {
  private let directory: TemporaryDirectory
  private let store: EventStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
  }

  /// Adds a report; returns the name of its fingerprint.
  @discardableResult
  private func add(
    _ event: Int64, _ message: String, at timestamp: Int64, version: String = "2.1", type: String = "handled_exception",
    duration: Int? = nil
  ) throws -> String {
    let json = """
      {"eventType":"\(type)","timestamp":\(timestamp),"errorDomain":"Failure","customMessage":"\(message)",\
      "stackTrace":"0 \(message)Function","appVersion":"\(version)"\(duration.map { ",\"durationMs\":\($0)" } ?? "")}
      """
    try store.pool.write { database in
      try Data(json.utf8).withUnsafeBytes {
        try IssueWriter(database).add(
          .init(id: event, session: 1, timestamp: timestamp, type: type, bundleId: "dev.example.shop"), $0)
      }
    }
    return try #require(try value("SELECT fingerprint FROM issue_event WHERE event = \(event)"))
  }

  private func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
    try store.pool.read { try Value.fetchOne($0, sql: sql) }
  }

  private func known(_ name: String) throws -> String? { try store.pool.read { try IssueMerges.known(name, in: $0) } }

  private func merge(_ name: String, into target: String) async throws {
    try await IssueMerges(store: store).merge([name], into: target, by: "Lea", at: 10_000)
  }

  private func split(_ name: String, from target: String) async throws {
    try await IssueMerges(store: store).split(name, from: target, by: "Lea", at: 20_000)
  }

  @Test func `a part is reached under its own name when what it was merged into is gone`() async throws {
    let (alpha, beta) = (try add(1, "alpha", at: 1000), try add(2, "beta", at: 2000))
    try await merge(alpha, into: beta)
    #expect(try known(alpha) == beta)
    for event in [1, 2] as [Int64] { try await store.pool.write { try IssueWriter($0).remove(event) } }
    #expect(try known(alpha) == nil)
    try add(3, "alpha", at: 3000)
    #expect(try known(alpha) == alpha)
    let isThere = try await IssueStates(store: store).set(.resolved, of: alpha, fix: nil, by: "Lea", at: 4000)
    #expect(isThere)
    // What is listed is what one reaches, also when the other one is there again.
    try add(4, "beta", at: 5000)
    #expect(try known(alpha) == alpha)
    try await merge(alpha, into: beta)
    #expect(try known(alpha) == beta)
  }

  @Test(
    arguments: [
      (nil, nil, 9000), ("2.2", nil, 8000), (">2.2", nil, nil), (nil, .resolved, nil), (nil, .ignored, nil),
      (nil, .open, 9000),
    ] as [(String?, IssueStatus?, Int64?)])
  func `an open issue in a resolved one is a regression, when a report shows it`(
    fix: String?, status: IssueStatus?, regressedAt: Int64?
  ) async throws {
    let beta = try add(1, "beta", at: 1000)
    let alpha = try add(2, "alpha", at: 8000, version: "2.2")
    try add(3, "alpha", at: 9000, version: "1.0")
    let states = IssueStates(store: store)
    _ = try await states.set(.resolved, of: beta, fix: fix.map { .init($0) }, by: "Lea", at: 5000)
    if let status { _ = try await states.set(status, of: alpha, fix: nil, by: "Lea", at: 9500) }
    try await merge(alpha, into: beta)
    #expect(
      try value("SELECT status FROM issue_state WHERE name = '\(beta)'") == (regressedAt == nil ? "resolved" : "open"))
    #expect(try value("SELECT regressedAt FROM issue_state WHERE name = '\(beta)'") == regressedAt)
  }

  @Test func `what was resolved after the last report of what is merged into it stays resolved`() async throws {
    let (alpha, beta) = (try add(1, "alpha", at: 1000), try add(2, "beta", at: 2000))
    _ = try await IssueStates(store: store).set(.resolved, of: beta, fix: nil, by: "Lea", at: 5000)
    try await merge(alpha, into: beta)
    #expect(try value("SELECT status FROM issue_state WHERE name = '\(beta)'") == "resolved")
  }

  @Test func `the functions of all that is merged find it, also after the next report`() async throws {
    let (alpha, beta) = (try add(1, "alpha", at: 1000), try add(2, "beta", at: 2000))
    let gamma = try add(3, "gamma", at: 3000)
    try await merge(alpha, into: beta)
    try await merge(gamma, into: beta)
    try add(4, "beta", at: 4000)
    let functions = "SELECT functions FROM issue_text WHERE issue = (SELECT id FROM issue WHERE name = '\(beta)')"
    #expect(try value(functions) == "betaFunction\n\nalphaFunction\ngammaFunction")
    // Apart from one of them, it is written anew from the reports that there are.
    try await split(alpha, from: beta)
    for (event, message) in [(3, "gamma"), (4, "beta"), (3, "gamma")] as [(Int64, String)] {
      var report = EventReport(kind: .failure)
      report.errorDomain = "Failure"
      report.customMessage = message
      report.report = CrashReport(stackTrace: "0 \(message)Function", kind: .failure)
      FrameRules.mark(&report.report)
      try await store.pool.write { [report] in try IssueWriter($0).refine(event, report) }
    }
    #expect(try value(functions) == "betaFunction\n\ngammaFunction")
  }

  @Test func `functions of merged issues have room, and no more`() async throws {
    let beta = try add(1, "beta", at: 1000)
    for index in 0..<8 {
      let name = try add(
        Int64(index + 2), String(repeating: String(UnicodeScalar(97 + UInt8(index))), count: 900), at: 2000)
      try await merge(name, into: beta)
    }
    let length: Int = try #require(try value("SELECT MAX(length(functions)) FROM issue_text"))
    #expect(length > 3000 && length < 4100)
  }

  @Test func `what others were merged into keeps them when its own fingerprint becomes another one`() async throws {
    let (alpha, beta) = (try add(1, "alpha", at: 1000), try add(2, "beta", at: 2000))
    try add(3, "beta", at: 3000)
    try await merge(alpha, into: beta)
    _ = try await IssueStates(store: store).set(.ignored, of: beta, fix: nil, by: "Lea", at: 5000)
    for event in [3, 2] as [Int64] {
      var report = EventReport(kind: .failure)
      report.errorDomain = "Failure"
      report.customMessage = "readable"
      try await store.pool.write { [report] in try IssueWriter($0).refine(event, report) }
    }
    // Of a device that has the old build.
    try add(4, "beta", at: 4000)
    try add(5, "alpha", at: 5000)
    #expect(try value("SELECT COUNT(DISTINCT issue) FROM issue_event") == 1)
    #expect(try value("SELECT COUNT(*) FROM issue") == 1)
    #expect(try value("SELECT template FROM issue") == "readable")
    let name: String = try #require(try value("SELECT name FROM issue"))
    #expect(name != beta)
    #expect(try known(beta) == name)
    #expect(try known(alpha) == name)
    #expect(try value("SELECT status FROM issue_state WHERE name = '\(name)'") == "ignored")
    #expect(try value("SELECT COUNT(*) FROM issue_change WHERE name = '\(name)'") == 2)
    try await split(alpha, from: beta)
    #expect(try known(alpha) == alpha)
    #expect(try value("SELECT events FROM issue WHERE name = '\(alpha)'") == 2)
    #expect(try value("SELECT events FROM issue WHERE name = '\(name)'") == 3)
  }

  @Test func `the longest hang goes with its report`() async throws {
    let alpha = try add(1, "alpha", at: 1000, type: "hang", duration: 9000)
    let beta = try add(2, "beta", at: 2000, type: "hang", duration: 3000)
    try await merge(alpha, into: beta)
    #expect(try value("SELECT longest FROM issue WHERE name = '\(beta)'") == 9000.0)
    try await split(alpha, from: beta)
    #expect(try value("SELECT longest FROM issue WHERE name = '\(alpha)'") == 9000.0)
    #expect(try value("SELECT longest FROM issue WHERE name = '\(beta)'") == 3000.0)
  }

  /// Writes down so many changes of one kind.
  private func fill(_ name: String, _ what: String) async throws {
    try await store.pool.write {
      try $0.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO issue_change(name, at, author, what, value) SELECT ?, i, 'Tom', ?, '{}' FROM n
          """, arguments: [IssueChange.most, name, what])
    }
  }

  @Test func `comments are refused when there are too many, and nothing else is`() async throws {
    let (alpha, beta) = (try add(1, "alpha", at: 1000), try add(2, "beta", at: 2000))
    try await fill(beta, "comment")
    let states = IssueStates(store: store)
    #expect(try await states.set(.resolved, of: beta, fix: nil, by: "Lea", at: 5000))
    try await fill(beta, "assignee")
    let notes = IssueNotes(store: store)
    #expect(try await notes.assign(beta, to: "Tom", by: "Lea", at: 6000))
    try await merge(alpha, into: beta)
    try await split(alpha, from: beta)
    let refused = await #expect(throws: APIError.self) { try await notes.comment(beta, "Seen", by: "Lea", at: 7000) }
    #expect(refused?.code == "too_many")
    // The decision is older than all that was forgotten, and can be taken back.
    #expect(try value("SELECT COUNT(*) FROM issue_change WHERE what = 'comment'") == IssueChange.most)
    #expect(try value("SELECT COUNT(*) FROM issue_change WHERE what <> 'comment'") == IssueChange.most + 1)
    #expect(try await states.undo(beta, by: "Lea", at: 8000))
    try await fill(beta, "status")
    #expect(try await states.set(.ignored, of: beta, fix: nil, by: "Lea", at: 9000))
    #expect(try await states.undo(beta, by: "Lea", at: 9500))
  }
}
