import AutoMobileState
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Erasing while a state elsewhere comes and goes` {
  private static func with(
    _ body: (SharedIndexes.Member, SharedIndexes, _ start: () throws -> Erasures) async throws -> Void
  ) async throws {
    try await SharedIndexes.with(1) { shared in
      let (member, directory) = (shared.indexes[0], shared.directory(of: 0))
      let spool = try PackSpool(directory: directory.appending(path: "packs").path)
      let packs = ReplayPacks(spool: spool, blobs: FolderBlobs(directory))
      let log = try IngestLog(
        directory: LogDirectory(path: directory.appending(path: "ingest").path),
        indexed: LogPosition(segment: 0, offset: 0), segmentSize: 1 << 20, metrics: CollectorMetrics(),
        logger: RunningCollector.quiet)
      try await body(member, shared) {
        Erasures(
          .init(
            store: member.store, packs: packs,
            uploads: PackUploads(packs: packs, store: member.store, oldAge: nil, logger: RunningCollector.quiet),
            log: log, maximumDepth: 64, index: directory.appending(path: "index.sqlite").path, tidyLog: {}, forget: {},
            onIssues: {}, onConfiguration: {}, projects: { [] }), logger: RunningCollector.quiet)
      }
    }
  }

  @Test func `is begun when the state goes away behind the first look at it, and done when it is back`() async throws {
    try await Self.with { member, shared, start in
      let erasures = try start()
      defer { erasures.stop() }
      let state = shared.truth.own
      // Somebody asks for her devices when the state has just been cleaned. Then it is away.
      member.state.breaks(.behind(0)) {
        _ = try state.writeNow { state in
          try AskTables.insert(
            Ask(
              id: 0, bundle: SharedIndexes.app, kind: .user, subject: "ada", session: nil, from: nil, to: nil,
              reason: "r", askedBy: "x", askedAt: 1, endsAt: 9, state: .asked, end: nil, changedAt: 1, changedBy: "x",
              toldAt: nil, cameAt: nil, events: 0, seen: 0), in: state)
        }
      }
      let begun = try await erasures.begin(ErasureSubject(.user, "ada"), reason: "r", by: "bob")
      #expect(try shared.stated("SELECT id FROM ask").count == 1)
      try await eventually("it waits, and says for what") {
        try await member.store.pool.read { try Erasure.one(begun.id, in: $0) }?.problem?.contains("database") == true
      }
      member.state.isAway = false
      try await eventually("the ask is gone, and so is the name") {
        try shared.stated("SELECT id FROM ask").isEmpty && member.count("SELECT COUNT(*) FROM erasure_late") == 0
      }
    }
  }

  @Test func `says so when the state refuses what is to be done, and goes on when it does not any more`() async throws {
    try await Self.with { member, _, start in
      try await member.store.pool.write {
        try $0.execute(
          sql: """
            INSERT INTO erasure(id, kind, subject, reason, requestedAt, requestedBy, step, marksEnd)
            VALUES (1, 'user', 'hash', 'r', 1, 'ada', 'file', 9)
            """)
      }
      member.state.refusesReading(StateError(.engine, "permission denied for table forwarder"))
      let erasures = try start()
      defer { erasures.stop() }
      try await eventually("it says why it waits") {
        try await member.store.pool.read { try Erasure.one(1, in: $0) }?.problem?.contains("does not take it") == true
      }
      member.state.refusesReading(nil)
      try await eventually("it ends") {
        try await member.store.pool.read { try Erasure.one(1, in: $0) }?.step == .done
      }
    }
  }

  @Test func `does not write the file anew before it can end`() async throws {
    try await Self.with { member, _, start in
      try await member.store.pool.write {
        try $0.execute(
          sql: """
            INSERT INTO erasure(id, kind, subject, reason, requestedAt, requestedBy, step, marksEnd)
            VALUES (1, 'user', 'hash', 'r', 1, 'ada', 'file', 9)
            """)
      }
      // Each time that SQLite writes a file anew, it counts.
      let before = try member.count("PRAGMA schema_version")
      member.state.isAway = true
      let erasures = try start()
      defer { erasures.stop() }
      try await eventually("it says why it waits") {
        try await member.store.pool.read { try Erasure.one(1, in: $0) }?.problem?.contains("database") == true
      }
      #expect(try member.count("PRAGMA schema_version") == before)
      member.state.isAway = false
      try await eventually("it ends") {
        try await member.store.pool.read { try Erasure.one(1, in: $0) }?.step == .done
      }
      #expect(try member.count("PRAGMA schema_version") > before)
    }
  }
}
