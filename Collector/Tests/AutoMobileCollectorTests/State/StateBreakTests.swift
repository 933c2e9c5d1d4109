import AutoMobileState
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// An index and a state in two databases. The process dies between what it writes to one and to the other, and what comes after it goes
/// on.
@Suite struct `A state that goes away between two writes` {
  private static let app = "dev.example.shop"

  private struct Pair {
    let index: EventStore
    let truth: any StateStore
    let breaking: BreakingState

    func add(_ event: Int64, _ message: String, at timestamp: Int64, version: String = "2.1") throws -> String {
      let json = """
        {"eventType":"handled_exception","timestamp":\(timestamp),"errorDomain":"Failure","customMessage":"\(message)",\
        "stackTrace":"0 \(message)Function","appVersion":"\(version)"}
        """
      return try index.pool.write { database in
        try Data(json.utf8).withUnsafeBytes {
          try IssueWriter(database).add(
            .init(id: event, session: 1, timestamp: timestamp, type: "handled_exception", bundleId: app), $0)
        }
        return try String.fetchOne(
          database, sql: "SELECT fingerprint FROM issue_event WHERE event = ?", arguments: [event]) ?? ""
      }
    }

    func count(_ sql: String) throws -> Int { try index.pool.read { try Int.fetchOne($0, sql: sql) ?? -1 } }

    func stated(_ sql: StateSQL, _ name: String) async throws -> [StateRow] {
      try await truth.read { try $0.rows(sql, name) }
    }
  }

  private static func with(_ body: (Pair) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let shared = try EventStore(
      path: directory.url.appending(path: "state.sqlite").path, fullText: false, maximumDepth: 64)
    let breaking = BreakingState(shared.own)
    let index = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64, state: breaking)
    try StateMark.set("one", in: index)
    try await body(Pair(index: index, truth: shared.own, breaking: breaking))
    try index.close()
    try shared.close()
  }

  /// Before and after each of the first writes, and not at all.
  private static let breaks: [BreakingState.Break?] = [nil] + (0..<3).flatMap { [.before($0), .after($0)] }

  @Test(arguments: breaks) func `hears once of an issue that came back`(_ at: BreakingState.Break?) async throws {
    try await Self.with { pair in
      let issue = try pair.add(1, "alpha", at: 1000)
      #expect(try await IssueStates(store: pair.index).set(.resolved, of: issue, fix: nil, by: "ada", at: 2000))
      #expect(try pair.count("SELECT COUNT(*) FROM issue_state WHERE status = 'resolved'") == 1)
      pair.breaking.breaks(at)
      _ = try pair.add(2, "alpha", at: 3000)
      // The index knows at once.
      #expect(try pair.count("SELECT COUNT(*) FROM issue_state WHERE status = 'open' AND regressedAt = 3000") == 1)
      try? pair.index.tellState()
      // As the next look does it.
      try pair.index.tellState()
      try pair.index.pullIssues()
      try pair.index.pullIssues()
      let state = try await pair.stated("SELECT status, regressedAt FROM issue_state WHERE name = ?1", issue)
      #expect(state == [StateRow([.text("open"), .integer(3000)])])
      let changes = try await pair.stated("SELECT what FROM issue_change WHERE name = ?1 ORDER BY id", issue)
      #expect(changes == [StateRow([.text("status")]), StateRow([.text("regressed")])])
      #expect(try pair.count("SELECT COUNT(*) FROM issue_notice") == 0)
      #expect(try pair.count("SELECT COUNT(*) FROM issue_state WHERE status = 'open'") == 1)
    }
  }

  @Test(arguments: breaks) func `has issues put together in both, or in neither`(_ at: BreakingState.Break?)
    async throws
  {
    try await Self.with { pair in
      let (alpha, beta) = (try pair.add(1, "alpha", at: 1000), try pair.add(2, "beta", at: 2000))
      let merges = IssueMerges(store: pair.index)
      pair.breaking.breaks(at)
      func merged() async throws -> Int {
        try await pair.stated("SELECT name FROM issue_merge WHERE target = ?1", beta).count
      }
      _ = await Self.fails { try await merges.merge([alpha], into: beta, by: "ada", at: 3000) }
      // As the next start does it.
      try pair.index.pullIssues()
      let isDecided = try await merged() == 1
      #expect(isDecided == (at != .before(0)))
      #expect(try pair.count("SELECT COUNT(*) FROM issue") == (isDecided ? 1 : 2))
      pair.breaking.breaks(nil)
      if !isDecided { try await merges.merge([alpha], into: beta, by: "ada", at: 3000) }
      #expect(try pair.count("SELECT events FROM issue") == 2)
      #expect(try await pair.stated("SELECT what FROM issue_change WHERE name = ?1", beta).count == 1)

      pair.breaking.breaks(at)
      _ = await Self.fails { try await merges.split(alpha, from: beta, by: "ada", at: 4000) }
      try pair.index.pullIssues()
      pair.breaking.breaks(nil)
      if try await merged() == 1 { try await merges.split(alpha, from: beta, by: "ada", at: 4000) }
      #expect(try pair.count("SELECT COUNT(*) FROM issue WHERE events = 1") == 2)
      #expect(try pair.count("SELECT COUNT(*) FROM issue_merge") == 0)
      #expect(try await pair.stated("SELECT what FROM issue_change WHERE name = ?1", beta).count == 2)
    }
  }

  @Test(arguments: breaks) func `has decisions go with an issue whose name changes`(_ at: BreakingState.Break?)
    async throws
  {
    try await Self.with { pair in
      let (alpha, beta) = (try pair.add(1, "alpha", at: 1000), try pair.add(2, "beta", at: 2000))
      try await IssueMerges(store: pair.index).merge([alpha], into: beta, by: "ada", at: 3000)
      #expect(try await IssueNotes(store: pair.index).assign(beta, to: "Tom", by: "ada", at: 3001))
      pair.breaking.breaks(at)
      try await pair.index.pool.write { try IssueMerges.follow(beta, to: "new", in: $0) }
      try? pair.index.tellState()
      // As the next look does it.
      try pair.index.tellState()
      try pair.index.pullIssues()
      #expect(try await pair.stated("SELECT assignee FROM issue_note WHERE name = ?1", "new").count == 1)
      #expect(try await pair.stated("SELECT name FROM issue_merge WHERE target = ?1", "new").count == 2)
      #expect(try await pair.stated("SELECT name FROM issue_change WHERE name = ?1", beta).isEmpty)
      #expect(try pair.count("SELECT COUNT(*) FROM issue WHERE name = 'new' AND events = 2") == 1)
      #expect(try pair.count("SELECT COUNT(*) FROM issue_note WHERE name = 'new' AND assignee = 'Tom'") == 1)
      #expect(try pair.count("SELECT COUNT(*) FROM issue_notice") == 0)
    }
  }

  @Test(arguments: breaks) func `has what alerts and people said of an erased issue scrubbed`(
    _ at: BreakingState.Break?
  ) async throws {
    try await Self.with { pair in
      let (alpha, beta) = (try pair.add(1, "alpha", at: 1000), try pair.add(2, "beta", at: 2000))
      try await IssueMerges(store: pair.index).merge([alpha], into: beta, by: "ada", at: 3000)
      _ = try await pair.truth.write { state in
        try AlertOutbox.add(
          Alert(
            kind: .newIssue, subject: beta, severity: .info, title: "t", text: "x", place: "/", at: 1), to: [],
          held: nil,
          at: 1, in: state)
      }
      try await pair.index.pool.write {
        try $0.execute(
          sql: """
            INSERT INTO erasure(id, kind, subject, reason, requestedAt, requestedBy, step, marksEnd)
              VALUES (1, 'user', 'hash', 'r', 1, 'ada', 'shared', 9);
            INSERT INTO erasure_shared(erasure, what, name) VALUES (1, 'issue', '\(beta)');
            """)
      }
      pair.breaking.breaks(at)
      let scrub = SharedScrub(store: pair.index, erasure: 1)
      if await Self.fails({ while try scrub.step() {} }) {
        // It is still there to be looked at.
        #expect(try pair.count("SELECT COUNT(*) FROM erasure_shared") == 1)
        while try scrub.step() {}
      }
      #expect(try pair.count("SELECT COUNT(*) FROM erasure_shared") == 0)
      #expect(try await pair.stated("SELECT id FROM alert_log WHERE subject = ?1", beta).isEmpty)
      let words = try await pair.stated("SELECT template, message FROM issue_merge WHERE target = ?1", beta)
      #expect(words == [StateRow([.null, .null])])
      let changes = try await pair.stated("SELECT value FROM issue_change WHERE name = ?1", beta)
      let value: String = try changes[0][0]
      #expect(changes.count == 1 && value.contains(alpha) && value.contains(#""title":"""#))
      // The copy as well.
      #expect(try pair.count("SELECT COUNT(*) FROM issue_merge WHERE template IS NULL AND message IS NULL") == 1)
    }
  }

  @Test(arguments: breaks) func `has nothing of who is erased, when whoever asked for it asks again`(
    _ at: BreakingState.Break?
  ) async throws {
    try await Self.with { pair in
      try await pair.truth.write { state in
        for user in ["ada", "bob"] {
          _ = try AskTables.insert(
            Ask(
              id: 0, bundle: Self.app, kind: .user, subject: user, session: nil, from: nil, to: nil, reason: "r",
              askedBy: "x",
              askedAt: 1, endsAt: 9, state: .asked, end: nil, changedAt: 1, changedBy: "x", toldAt: nil, cameAt: nil,
              events: 0, seen: 0), in: state)
        }
      }
      let directory = try TemporaryDirectory()
      let spool = try PackSpool(directory: directory.url.appending(path: "packs").path)
      let packs = ReplayPacks(spool: spool, blobs: FolderBlobs(directory.url))
      let log = try IngestLog(
        directory: LogDirectory(path: directory.url.appending(path: "ingest").path),
        indexed: LogPosition(segment: 0, offset: 0), segmentSize: 1 << 20, metrics: CollectorMetrics(),
        logger: RunningCollector.quiet)
      let erasures = Erasures(
        .init(
          store: pair.index, packs: packs,
          uploads: PackUploads(packs: packs, store: pair.index, oldAge: nil, logger: RunningCollector.quiet), log: log,
          maximumDepth: 64, index: directory.url.path, tidyLog: {}, forget: {}, onIssues: {}, onConfiguration: {},
          projects: { [] }), logger: RunningCollector.quiet)
      defer { erasures.stop() }
      pair.breaking.breaks(at)
      let subject = try ErasureSubject({ $0 == .user ? "ada" : nil }, project: nil)
      let isRefused = await Self.fails { _ = try await erasures.begin(subject, reason: "r", by: "x") }
      // From when it is written down it is begun.
      #expect(isRefused == (at == .before(0) || at == .after(0)))
      if isRefused {
        _ = try await erasures.begin(subject, reason: "r", by: "x")
      }
      #expect(try await pair.stated("SELECT id FROM ask WHERE subject = ?1", "ada").isEmpty)
      #expect(try await pair.stated("SELECT id FROM ask WHERE subject = ?1", "bob").count == 1)
      #expect(try pair.count("SELECT COUNT(*) FROM erasure_mark") >= 1)
      #expect(try pair.count("SELECT COUNT(*) FROM erasure") >= 1)
    }
  }

  @Test func `is not followed by an index of another one, or one with a state of its own`() async throws {
    try await Self.with { pair in
      #expect(throws: CollectorError.self) { try StateMark.set("two", in: pair.index) }
      try StateMark.set("one", in: pair.index)
    }
    let directory = try TemporaryDirectory()
    let path = directory.url.appending(path: "index.sqlite").path
    let alone = try EventStore(path: path, fullText: false, maximumDepth: 64)
    try await alone.own.write {
      _ = try $0.execute(
        "INSERT INTO project(name, bundleId, createdAt, createdBy) VALUES ('Shop', ?1, 1, 'ada')", Self.app)
    }
    let both = try EventStore(path: path, fullText: false, maximumDepth: 64, state: BreakingState(alone.own))
    #expect(throws: CollectorError.self) { try StateMark.set("one", in: both) }
    try StateMark.set("one", in: alone)
    try both.closeIndex()
    try alone.close()
  }

  private static func fails(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch {
      return true
    }
  }
}
