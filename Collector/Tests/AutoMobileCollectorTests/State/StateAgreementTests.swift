import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// Several collectors over one state: what one of them writes all of them know. Here both are in one process, and each write is run
/// twice, as it may be where others write.
@Suite struct `Two collectors over one state` {
  private static func with(_ body: (any StateStore, EventStore) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    try await SharedState.withEach(store) { try await body($0, store) }
    try store.close()
  }

  private static let logger = RunningCollector.quiet

  @Test func `agree on settings`() async throws {
    try await Self.with { state, _ in
      let (one, other) = (try SettingStore(state, logger: Self.logger), try SettingStore(state, logger: Self.logger))
      let changes = Counter()
      other.onChange { changes.add() }
      try await one.setRetention(RetentionPolicy(days: 30), by: "ada", at: 7)
      #expect(one.retention == .init(policy: RetentionPolicy(days: 30), changedAt: 7, changedBy: "ada"))
      try await eventually("the other one knows") { other.retention == one.retention }
      try await eventually("and says so") { changes.count == 1 }
      try await other.setRetention(.everything, by: "bob", at: 8)
      try await eventually("the first one knows") { one.retention.changedBy == "bob" }
    }
  }

  @Test func `agree on where sources are`() async throws {
    try await Self.with { state, _ in
      let one = try SourceLinkStore(state, logger: Self.logger)
      let other = try SourceLinkStore(state, logger: Self.logger)
      let link = SourceLink(template: "https://git.example/{path}#L{line}")
      try await one.set(link, for: "com.example.app", by: "ada", at: 7)
      try await eventually("the other one knows") { other.link(for: "com.example.app.widget") == link }
      try await other.set(nil, for: "com.example.app", by: "bob", at: 8)
      try await eventually("it is gone for both") { one.link(for: "com.example.app") == nil }
    }
  }

  @Test func `agree on projects and keys`() async throws {
    try await Self.with { state, _ in
      let (one, other) = (try ProjectStore(state, logger: Self.logger), try ProjectStore(state, logger: Self.logger))
      let project = try await one.createProject(name: "Shop", bundleId: "com.example.shop", by: "ada", at: 7)
      let key = try await one.createKey(project: project, name: "ci", role: .ingest, by: "ada", at: 7)
      #expect(one.key(key.secret, at: 8)?.bundleId == "com.example.shop")
      try await eventually("the other one lets it in") { other.key(key.secret, at: 8)?.id == key.id }
      #expect(other.apps == ["com.example.shop"] && other.bundle(of: project) == "com.example.shop")
      let changes = Counter()
      other.onDays { changes.add() }
      try await one.set(project: project, days: 7)
      let kept = ProjectRetention(["com.example.shop": 7], among: ["com.example.shop"], below: .everything)
      #expect(one.retention(below: .everything) == kept)
      try await eventually("the other one keeps it for as long") { other.retention(below: .everything) == kept }
      try await eventually("and says so") { changes.count == 1 }
      #expect(try await other.list().projects.map(\.days) == [7])
      try await other.set(project: project, days: nil)
      try await eventually("it is taken back for both") { one.retention(below: .everything).days.isEmpty }
      try await other.end(key: key.id, at: 9, by: "bob")
      #expect(!other.isGood(key: key.id, at: 9))
      try await eventually("it has ended for both") { !one.isGood(key: key.id, at: 9) }
      // An end is never put off.
      try await one.end(key: key.id, at: 1_000, by: "ada")
      #expect(one.key(key.id)?.endsAt == 9)
      try await other.remove(project: project, at: 10)
      try await eventually("the project is gone") { one.apps.isEmpty }
      let list = try await one.list()
      #expect(list.projects.isEmpty && list.keys.map(\.id) == [key.id])
      await #expect(throws: (any Error).self) { try await one.set(project: project, name: "x", tracker: nil) }
    }
  }

  @Test func `know each key, whoever of many makes it`() async throws {
    try await Self.with { state, _ in
      let stores = try (0..<4).map { _ in try ProjectStore(state, logger: Self.logger) }
      let secrets = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<32 {
          group.addTask {
            let store = stores[number % stores.count]
            let made = try await store.createKey(project: nil, name: "k\(number)", role: .viewer, by: "ada", at: 1)
            // At once where it was made, whatever others do.
            #expect(store.key(made.secret, at: 2)?.id == made.id)
            return made.secret
          }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      for store in stores {
        try await eventually("all know all") { secrets.allSatisfy { store.key($0, at: 2) != nil } }
      }
    }
  }

  @Test func `agree on configuration`() async throws {
    try await Self.with { state, store in
      let one = try ConfigurationStore(state, logger: Self.logger)
      let other = try ConfigurationStore(state, logger: Self.logger)
      #expect(one.issuer == other.issuer)
      let changes = Counter()
      other.onChange { changes.add() }
      let off = JSONTree.object(["recording": .object(["enabled": .bool(false)])])
      let written = try await one.put(off, for: "com.example.app", expected: 0, by: "ada")
      #expect(written.version == 1 && one.tag(of: "com.example.app") == "1-\(one.issuer.prefix(8))")
      try await eventually("apps get it from both") {
        other.tag(of: "com.example.app") == one.tag(of: "com.example.app")
      }
      try await eventually("who waits is woken") { changes.count == 1 }
      // Versions are counted over all.
      #expect(try await other.put(.object([:]), for: "*", expected: nil, by: "bob").version == 2)
      try await eventually("the first one knows") { one.tag(of: nil) == other.tag(of: nil) }
      await #expect(throws: APIError.self) {
        _ = try await one.put(.object([:]), for: "com.example.app", expected: 0, by: "ada")
      }
      #expect(try await other.history(of: "com.example.app", limit: 10).map(\.version) == [1])
    }
  }

  @Test func `of two who change one document, one is told to read it again`() async throws {
    try await Self.with { state, _ in
      let stores = try (0..<2).map { _ in try ConfigurationStore(state, logger: Self.logger) }
      let kept = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<16 {
          group.addTask {
            let written = try? await stores[number % 2].put(.object([:]), for: "*", expected: 0, by: "\(number)")
            return written != nil
          }
        }
        return await group.reduce(into: 0) { if $1 { $0 += 1 } }
      }
      #expect(kept == 1)
      for store in stores { try await eventually("both have it") { store.document(of: "*").version == 1 } }
    }
  }

  @Test func `agree on what is taken out, and count together`() async throws {
    try await Self.with { state, _ in
      let one = try RedactionStore(state, maximumDepth: 64, logger: Self.logger)
      let other = try RedactionStore(state, maximumDepth: 64, logger: Self.logger)
      let owner = DataOwner.app("com.example.app")
      let id = try await one.add(.field("password"), project: "com.example.app", by: "ada", at: 7)
      #expect(try await other.add(.field("password"), project: "com.example.app", by: "bob", at: 8) == id)
      let text = #"{"password":"secret"}"#
      try await eventually("the other one takes it out") { !other.redact(text, of: owner).contains("secret") }
      #expect(!one.redact(text, of: owner).contains("secret"))
      other.close()
      #expect(try await one.list().map(\.redacted) == [2])
      // What nobody has counted since changes nothing.
      #expect(try await other.list().map(\.redacted) == [2])
      try await other.remove(id)
      try await eventually("it stays for both") { one.redact(text, of: owner) == text }
    }
  }

  @Test func `agree on who is signed in`() async throws {
    try await Self.with { state, _ in
      var limits = SessionLimits()
      limits.ofOnePerson = 2
      let one = try PersonSessions(state, limits: limits, logger: Self.logger)
      let other = try PersonSessions(state, limits: limits, logger: Self.logger)
      let mira = Person.byLink("Mira", [.admin])
      let first = try await one.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 1_000)
      #expect(one.session(first.secret, at: 1_001)?.person == mira)
      try await eventually("the other one knows her") { other.session(first.secret, at: 1_002) != nil }
      let second = try await other.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 2_000)
      // What one of them saw is not taken back by what the state has of it.
      #expect(one.session(first.secret, at: 3_000)?.lastSeenAt == 3_000)
      try await eventually("both know both") { one.list(at: 3_000).count == 2 }
      #expect(one.list(at: 3_000).first { $0.id == first.session.id }?.lastSeenAt == 3_000)
      #expect(try await other.end { $0.id == first.session.id } == 1)
      #expect(other.session(first.secret, at: 3_001) == nil)
      try await eventually("it has ended for both") { one.session(first.secret, at: 3_001) == nil }
      #expect(one.isGood(second.session.id, at: 3_001) && !one.isGood(first.session.id, at: 3_001))
      // A third and a fourth one push out what was seen longest ago, wherever that began.
      _ = try await one.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 4_000)
      _ = try await one.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 5_000)
      try await eventually("the oldest is gone for both") { other.session(second.secret, at: 5_001) == nil }
      #expect(one.session(second.secret, at: 5_001) == nil)
      // A start knows the same.
      let third = try PersonSessions(state, limits: limits, logger: Self.logger)
      #expect(third.list(at: 5_001).map(\.id) == one.list(at: 5_001).map(\.id))
    }
  }

  @Test func `end what began elsewhere a moment ago`() async throws {
    try await Self.with { state, _ in
      let sessions = try PersonSessions(state, limits: SessionLimits(), logger: Self.logger)
      let mira = Person.byLink("Mira", [.admin])
      let known = try await sessions.begin(mira, insteadOf: nil, address: nil, browser: nil, at: 1_000)
      let secret = SignInSecret()
      // The other collector has written it, and this one has not heard of it.
      _ = try await state.write {
        try SignInTables.insert(
          PersonSession(
            id: 0, hash: secret.hash, person: mira, createdAt: 1_000, lastSeenAt: 1_000, address: nil, browser: nil),
          in: $0)
      }
      #expect(try await sessions.end { $0.person.isSame(as: mira) } == 2)
      #expect(try await state.read { try SignInTables.sessions(in: $0) }.isEmpty)
      #expect(sessions.session(known.secret, at: 1_001) == nil && sessions.session(secret, at: 1_001) == nil)
    }
  }

  @Test func `use a link up once`() async throws {
    try await Self.with { state, _ in
      let links = SignInLinks(state: state)
      let mira = Person.byLink("Mira", [.admin])
      let secret = try await links.make(mira, minutes: 15, by: "ada", at: 1)
      let signedIn = try await withThrowingTaskGroup(of: Person?.self) { group in
        for _ in 0..<8 { group.addTask { try await links.take(secret, at: 2) } }
        return try await group.reduce(into: [Person]()) { if let person = $1 { $0.append(person) } }
      }
      #expect(signedIn == [mira])
    }
  }

  @Test func `make one secret`() async throws {
    try await Self.with { state, _ in
      let secrets = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<16 {
          group.addTask { try StateSecret.text("peer_secret", in: state) { "secret \(number)" } }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(Set(secrets).count == 1)
    }
  }
}

private final class Counter: Sendable {
  private let box = NIOLockedValueBox(0)
  var count: Int { box.withLockedValue { $0 } }
  func add() { box.withLockedValue { $0 += 1 } }
}
