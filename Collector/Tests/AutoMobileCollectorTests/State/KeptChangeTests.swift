import AutoMobileState
import Foundation
import Hummingbird
import NIOCore
import Testing

@testable import AutoMobileCollector

/// What is committed is done, whatever fails behind it.
@Suite struct `A change that a state elsewhere has kept` {
  private struct Door {
    let handle = RouterHandle()
    let audit: AuditLog

    /// The audit log is in the state itself: it does not go away with the rest.
    init(_ member: SharedIndexes.Member, _ shared: SharedIndexes) throws {
      let truth = shared.truth.own
      audit = AuditLog(truth, keeping: .init(), logger: RunningCollector.quiet)
      let router = Router(context: CollectorContext.self)
      router.add(middleware: ErrorAnswers())
      let routes = RouteTable(
        router,
        doorkeeper: Doorkeeper(
          keys: [], operatorKeys: [], projects: try ProjectStore(truth, logger: RunningCollector.quiet),
          tokens: UploadTokens(), isReachable: false),
        clients: Clients(), answers: AnswerBudget(limit: 1 << 20), shares: RequestShares(limit: 64), audit: audit)
      IssueRoutes(
        SQLiteIssues(store: member.store), store: member.store, elsewhere: false, limits: CollectorLimits(),
        onSplit: {}
      ).add(to: routes)
      handle.set(router)
    }

    func resolve(_ issue: String) async throws -> (status: Int, body: JSONTree) {
      let answer = try await RoutedQuestions(router: handle, asking: nil, logger: RunningCollector.quiet).ask(
        Question(
          method: .put, target: "/api/issues/\(issue)/status", body: ByteBuffer(string: #"{"status":"resolved"}"#)))
      return (answer.status, try JSONDecoder().decode(JSONTree.self, from: Data(answer.body.readableBytesView)))
    }

    func audited() async throws -> [Int] {
      try await audit.page(AuditTables.Filter()).filter { $0.action == .change }.map(\.status)
    }
  }

  private static func with(_ body: (SharedIndexes.Member, SharedIndexes, _ issue: String) async throws -> Void)
    async throws
  {
    try await SharedIndexes.with(1) { shared in
      let member = shared.indexes[0]
      try await body(member, shared, try member.add(1, "alpha"))
    }
  }

  private static let resolved = "SELECT COUNT(*) FROM issue_state WHERE status = 'resolved'"

  @Test func `is answered and written down as one, and the index follows when it can`() async throws {
    try await Self.with { member, shared, issue in
      let door = try Door(member, shared)
      let copy = try StateCopy(member.store, logger: RunningCollector.quiet)
      copy.start()
      defer { copy.stop() }
      member.state.breaks(.behind(0))
      let answer = try await door.resolve(issue)
      #expect(answer.status == 200 && answer.body["id"]?.string == issue, "\(answer)")
      #expect(try await door.audited() == [200])
      #expect(try member.count(Self.resolved) == 0)
      member.state.isAway = false
      try await eventually("the index shows it") { try member.count(Self.resolved) == 1 }
      try await eventually("and all is well") { copy.problem == nil }
      // As always, when nothing fails.
      let again = try await door.resolve(issue)
      #expect(again.status == 200 && again.body["status"]?.string == "resolved")
    }
  }

  @Test func `or may have kept is told as that, with no advice to send it again`() async throws {
    try await Self.with { member, shared, issue in
      let door = try Door(member, shared)
      member.state.breaks(.after(0), with: StateError(.unknown, "it went away"))
      let answer = try await door.resolve(issue)
      #expect(answer.status == 504 && answer.body["error"]?["code"]?.string == "state_unknown", "\(answer)")
      #expect(try await door.audited() == [504])
      let known = try #require(StateError(.unknown, "").answer)
      #expect(known.retryAfter == nil && known.message.contains("look at what is there"))
      // What was refused has changed nothing, and is not written down.
      member.state.breaks(.before(0), with: StateError(.unavailable, "it does not answer"))
      #expect(try await door.resolve(issue).status == 503)
      #expect(try await door.audited() == [504])
    }
  }

  @Test func `is followed later, of whatever kind it is`() async throws {
    try await Self.with { member, shared, alpha in
      let beta = try member.add(2, "beta")
      let (store, state) = (member.store, member.state)
      func kept(_ change: () async throws -> Void) async throws {
        state.breaks(.behind(0))
        try await change()
        #expect(state.hasBroken && state.isAway)
        state.isAway = false
      }
      try await kept {
        let isKnown = try await IssueNotes(store: store).assign(alpha, to: "Tom", by: "ada", at: 1)
        #expect(isKnown)
      }
      try await kept { try await IssueMerges(store: store).merge([alpha], into: beta, by: "ada", at: 2) }
      let projects = try ProjectStore(state, logger: RunningCollector.quiet) { await store.followProjects() }
      try await kept { _ = try await projects.createProject(name: "S", bundleId: "s", by: "ada", at: 3) }
      #expect(projects.apps == ["s"])
      #expect(try member.count("SELECT COUNT(*) FROM issue") == 2)
      try store.pullIssues()
      try store.pullProjects()
      #expect(try member.count("SELECT COUNT(*) FROM issue_note WHERE assignee = 'Tom'") == 1)
      #expect(try member.count("SELECT COUNT(*) FROM issue") == 1)
      #expect(try member.count("SELECT COUNT(*) FROM project WHERE bundleId = 's'") == 1)
    }
  }

  @Test func `is told of on the command line, and not as the issue was before`() async throws {
    let server = try CannedServer { number in
      .text("200 OK", number < 2 ? #"{"id":"4f1c2a","title":"As it was","reports":[]}"# : #"{"id":"4f1c2a"}"#)
    }
    defer { server.stop() }
    for isJSON in [false, true] {
      server.forget()
      let (process, output, errors) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "automobile")
      process.arguments =
        ["issues", "4f1c2a", "--assign", "Tom", "--url", "http://127.0.0.1:\(server.port)"]
        + (isJSON ? ["--json"] : [])
      // Whoever runs the tests may have saved a collector.
      process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CONFIG_HOME": "/dev/null/none"]) { $1 }
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let noted = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && noted.contains("It is changed."), "\(noted)")
      #expect(server.requests.last?.hasPrefix("PUT /api/issues/4f1c2a/assignee") == true)
      let found = try? JSONDecoder().decode([String: String].self, from: Data(said.utf8))
      #expect(isJSON ? found == ["id": "4f1c2a"] : said.isEmpty, "\(said)")
    }
  }

  // MARK: Who repeats by themselves

  @Test(arguments: [BreakingState.Break.before(0), .after(0)])
  func `or may have kept is in the audit log once`(_ at: BreakingState.Break) async throws {
    try await SharedIndexes.with(1) { shared in
      let state = shared.indexes[0].state
      let log = AuditLog(state, keeping: .init(), logger: RunningCollector.quiet)
      func note(_ thing: String) {
        log.note(
          AuditEntry(
            at: WallClock.now, who: "ada", by: "key 1", action: .change, route: "PUT /api/config/{bundle}",
            thing: thing,
            status: 200))
      }
      state.breaks(at, with: StateError(.unknown, "it went away"))
      note("one")
      try await eventually("it was tried") { state.hasBroken }
      note("two")
      try await eventually("both are there") { try await log.page(.init()).count >= 2 }
      #expect(try await log.page(.init()).compactMap(\.thing).sorted() == ["one", "two"])
      log.close()
      #expect(try shared.stated("SELECT id FROM audit").count == 2)
    }
  }

  @Test func `or may have kept of a message is noted, and the message is sent once`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "") }
    defer { receiver.stop() }
    try await SharedIndexes.with(1) { shared in
      let member = shared.indexes[0]
      let egress = Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"]))
      let body = try JSONDecoder().decode(
        JSONTree.self, from: Data(#"{"kind":"webhook","name":"hook","url":"http://127.0.0.1:\#(receiver.port)/"}"#.utf8)
      )
      let channel = try await member.store.alerts.save(channel: body, by: "ada", at: 1).channel.id
      let sender = AlertSender(
        member.state, courier: AlertCourier(egress: egress, publicURL: nil), logger: RunningCollector.quiet)
      member.state.breaks(.before(0), with: StateError(.unknown, "it went away"))
      try await shared.truth.own.write { state in
        let alert = Alert(kind: .newIssue, subject: "a", severity: .error, title: "t", text: "x", at: WallClock.now)
        try AlertOutbox.add(alert, to: [channel], held: nil, at: WallClock.now, in: state)
      }
      sender.start()
      sender.wake()
      try await eventually("it is noted") {
        try shared.stated("SELECT id FROM alert_message WHERE state = 'sent'").count == 1
      }
      sender.stop()
      #expect(member.state.hasBroken && receiver.requests.count == 1)
    }
  }
}
