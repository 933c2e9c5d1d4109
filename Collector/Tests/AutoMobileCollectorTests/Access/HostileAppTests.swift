import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// An app with a good key of its own that wants to harm the others.
@Suite struct `An app that lies` {
  private static func log(_ message: String, session: String) -> String {
    #"{"eventType":"log","timestamp":1,"message":"\#(message)","sessionId":"\#(session)"}"#
  }

  @Test func `a name with control characters is refused, and holds nobody up`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      for session in ["X", #"X\u0000y"#, #"X\ny"#, #"X\u007Fy"#, "X\u{7F}y", #"X\u0085y"#, "X\u{85}y", "X\u{9F}y"] {
        let text = envelope([Self.log("m", session: session)], bundleId: TwoProjects.second)
        let answer = try await collector.post(envelope: text, headers: projects.second)
        #expect(try answer.json()["rejected"].array.count == (session == "X" ? 0 : 1), "\(answer.text)")
      }
      let tidy = envelope([Self.log("m", session: "X\u{A0}é")], bundleId: TwoProjects.second)
      #expect(try await collector.post(envelope: tidy, headers: projects.second).json()["rejected"].array.isEmpty)
      // Past the door, in records: what cannot be read goes aside.
      var batch = RawBatch(bundleId: TwoProjects.second)
      batch.add(.event, Self.log("raw", session: #"X\u0000z"#))
      batch.add(.context, #"{"contextId":1,"sessionId":"X\u0000z"}"#)
      #expect(try await collector.post(raw: batch, headers: projects.second).status == 200)
      let other = envelope([Self.log("of the other", session: "s")], bundleId: TwoProjects.first)
      #expect(try await collector.post(envelope: other, headers: projects.first).status == 200)
      try await projects.wait(for: "/api/sessions/s") { $0["events"].int == 1 }
      #expect(try await projects.read("/api/quarantine")["quarantine"].array.count == 2)
    }
  }

  @Test func `whose name begins another's counts nothing for it`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      let made = try await collector.post(
        "/api/projects", #"{"name":"inner","bundleId":"com.example.first.inner"}"#, headers: TwoProjects.operatorKey)
      #expect(made.status == 200)
      let event = #"""
        {"eventType":"handled_exception","timestamp":1,"exceptionClass":"E","customMessage":"m","context":{"sessionId":"s",\#
        "bundleId":"com.example.first.inner","appVersion":"9.0"}}
        """#
      let text = envelope([event], bundleId: TwoProjects.first)
      #expect(try await collector.post(envelope: text, headers: projects.first).status == 200)
      let issue = try await projects.wait(for: "/api/issues") { !$0["issues"].array.isEmpty }["issues"].array[0]
      #expect(issue["bundleId"].string == TwoProjects.first)
      #expect(try await projects.read("/api/sessions/s")["bundleId"].string == TwoProjects.first)
    }
  }

  @Test func `asks for commands in the place of nobody else`() async throws {
    // Nobody has left in the meantime, however long this takes here.
    let exchange = CommandExchange(grace: 600_000)
    func listens(_ launch: String, of owner: String) async -> Bool {
      let listener = CommandExchange.Listener(
        address: .init(owner: .app(owner), launch: launch), bundle: owner, names: [], lastSeen: WallClock.now)
      _ = await exchange.question(exchange.nextQuestion(), of: listener, wait: 0)
      return exchange.listeners.contains { $0.address == listener.address }
    }
    for index in 0..<CommandExchange.maximumListenersOfApp { #expect(await listens("\(index)", of: "b")) }
    #expect(await !listens("more", of: "b"))
    #expect(await listens("a", of: "a"))
  }

  @Test func `has half of the room for bodies, and half of the connections`() async throws {
    let budget = BodyBudget(limit: 100)
    try await budget.withLease(of: "b") { lease in
      try lease.take(50)
      #expect(throws: APIError.self) { try lease.take(1) }
      try await budget.withLease(of: "a") { try $0.take(50) }
    }
    try await budget.withLease(of: "b") { try $0.take(50) }
    let shares = RequestShares(limit: 2)
    try await shares.with("b") {
      try await shares.with("b") {
        await #expect(throws: APIError.self) { try await shares.with("b") {} }
        try await shares.with("a") {}
      }
    }
    try await shares.with("b") {}
  }

  @Test func `a connection with hundreds of requests ahead is closed`() async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      let request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
      await socket.send(String(repeating: request, count: 400))
      let answers = await socket.readToEnd().components(separatedBy: "HTTP/1.1 200").count - 1
      #expect(answers < 400)
      #expect(try await collector.get("/health").status == 200)
    }
  }

  @Test func `tokens of other keys than the collector was started with are none`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let claim = UploadTokens.Claim(key: nil, app: DeliveringApp(owner: .app("a"), bundleId: "a"), expires: 1000)
    let token = try UploadTokens(store.state, startedWith: ["first-key"]).token(claim)
    #expect(try UploadTokens(store.state, startedWith: ["first-key"]).claim(token, at: 0) == claim)
    #expect(try UploadTokens(store.state, startedWith: ["other-key"]).claim(token, at: 0) == nil)
    #expect(try UploadTokens(store.state).claim(token, at: 0) == nil)
    try store.close()
  }
}
