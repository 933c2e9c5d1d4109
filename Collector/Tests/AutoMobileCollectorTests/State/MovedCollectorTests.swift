import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

@Suite(.enabled(if: SharedState.isThere && !SharedState.isWanted)) struct `A collector whose state was moved` {
  private static let asOperator = [("Authorization", "Bearer operators-key"), ("Content-Type", "application/json")]

  @Test func `answers as before, on its own data directory and on a new one, and knows its keys`() async throws {
    let (directory, fresh) = (try TemporaryDirectory(), try TemporaryDirectory())
    let before = NIOLockedValueBox<(answers: [String: JSONValue], key: String, issue: String)>(([:], "", ""))
    try await RunningCollector.with(directory: directory.url) {
      $0.operatorKeys = ["operators-key"]
    } _: { collector in
      let (key, issue) = try await Self.setUp(collector)
      let answers = try await Self.answers(collector, issue)
      try await Self.checkKey(key, collector)
      before.withLockedValue { $0 = (answers, key, issue) }
    }
    let (answers, key, issue) = before.withLockedValue { $0 }
    // Where both can read them.
    let blobs = BlobPlace.s3(try await S3Server.shared.settings())
    try await SharedState.with { database in
      let shared = try SharedState.place(database)
      let share: @Sendable (inout CollectorOptions) -> Void = {
        $0.operatorKeys = ["operators-key"]
        ($0.state, $0.statePassword) = (shared.place, shared.password)
        ($0.blobs, $0.blobCredentials) = (blobs, S3Server.credentials)
      }
      let move = try StateMove(data: directory.url, to: shared.place, password: shared.password)
      #expect(throws: CollectorError.self) { _ = try DataDirectory(directory.url) }
      _ = try move.move()
      #expect(try move.check() == [])
      move.close()
      // Until the directory is told, it is refused with the state that it has a copy of.
      var early = CollectorOptions(dataDirectory: directory.url)
      share(&early)
      #expect(Self.problem(early)?.contains("is in the data directory, not in postgres://") == true)
      let again = try StateMove(data: directory.url, to: shared.place, password: shared.password)
      #expect(try again.move() == .wasMoved)
      try again.settle()
      again.close()
      #expect(
        Self.problem(CollectorOptions(dataDirectory: directory.url))?.contains("not in the data directory") == true)
      for (place, hasIssue) in [(directory.url, true), (fresh.url, false)] {
        try await RunningCollector.with(directory: place, share) { collector in
          let after = try await Self.answers(collector, hasIssue ? issue : nil)
          for (path, answer) in answers where hasIssue || !path.hasPrefix("/api/issues") {
            #expect(after[path] == answer, "\(path) \(hasIssue)")
          }
          try await Self.checkKey(key, collector)
        }
      }
    }
  }

  /// One that is not known would be let in everywhere: this is a collector on loopback.
  private static func checkKey(_ key: String, _ collector: RunningCollector) async throws {
    let headers = [("Authorization", "Bearer \(key)")]
    #expect(try await collector.get("/api/sessions", headers: headers).status == 200)
    #expect(try await collector.get("/api/settings", headers: headers).status == 403)
  }

  private static func setUp(_ collector: RunningCollector) async throws -> (key: String, issue: String) {
    func send(_ path: String, _ body: String, _ method: String = "POST") async throws -> JSONValue {
      let answer = try await collector.send(
        .init(rawValue: method), path, headers: asOperator, body: .init(string: body))
      #expect((200..<300).contains(answer.status), "\(path) \(answer.text)")
      return try answer.json()
    }
    let project = try #require(
      try await send("/api/projects", #"{"name":"Shop","bundleId":"dev.example.shop"}"#)["id"].int)
    let key = try #require(
      try await send("/api/keys", #"{"name":"v","role":"viewer","project":\#(project)}"#)["key"].string)
    _ = try await send("/api/searches", ##"{"name":"zürich ☕️","address":"#/?q=a"}"##)
    _ = try await send("/api/redactions", #"{"pattern":"email"}"#)
    _ = try await send(
      "/api/forwarders", #"{"name":"f","url":"https://example.com/in","types":["log"],"headers":{"X-Key":"hidden"}}"#)
    _ = try await send("/api/alerts/rules", #"{"kind":"new_issue"}"#)
    var batch = RawBatch(bundleId: "dev.example.shop")
    batch.addContext(1, session: "s-1", user: "mira")
    batch.add(.event, `What people write down about issues`.failure("It broke", at: 1000, fingerprint: "x"))
    try await collector.post(raw: batch, headers: [asOperator[0]])
    let issue = try await collector.waitAsOperator("/api/issues")
    _ = try await send("/api/issues/\(issue)/status", #"{"status":"resolved"}"#, "PUT")
    _ = try await send("/api/issues/\(issue)/comments", #"{"text":"Since Monday"}"#)
    return (key, issue)
  }

  private static func answers(_ collector: RunningCollector, _ issue: String?) async throws -> [String: JSONValue] {
    var answers: [String: JSONValue] = [:]
    let paths = ["/api/projects", "/api/searches", "/api/redactions", "/api/settings", "/api/config", "/api/asks"]
    for path in paths + (issue.map { ["/api/issues/\($0)"] } ?? []) {
      let answer = try await collector.get(path, headers: asOperator)
      #expect(answer.status == 200, "\(path) \(answer.text)")
      answers[path] = try answer.json()
    }
    // What came, what is on the disk, and when a key was used are not what was set.
    if let settings = answers["/api/settings"]?["retention"] {
      answers["/api/settings"] = .list(["days", "bytes", "changedAt", "changedBy"].map { settings[$0] })
    }
    if let projects = answers["/api/projects"]?["projects"].array {
      #expect(projects.count == 1 && projects.first?["keys"].array.count == 1)
      answers["/api/projects"] = .list(
        projects.map { project in
          let keys = project["keys"].array.map { key in
            JSONValue.list(["id", "name", "role", "hint", "createdAt", "createdBy"].map { key[$0] })
          }
          return .list(["id", "name", "bundleId", "createdAt"].map { project[$0] } + keys)
        })
    }
    let alerts = try await collector.get("/api/alerts", headers: asOperator).json()
    answers["rules"] = .list(alerts["rules"].array.map { .list([$0["id"], $0["name"], $0["kind"]]) })
    let forwarders = try await collector.get("/api/forwarders", headers: asOperator).json()
    answers["forwarders"] = .list(forwarders["forwarders"].array.map { .list([$0["id"], $0["name"], $0["url"]]) })
    return answers
  }

  private static func problem(_ options: CollectorOptions) -> String? {
    MovingState.words { try Collector(options, logger: RunningCollector.quiet).close() }
  }
}

extension RunningCollector {
  /// The id of the first issue, once there is one.
  fileprivate func waitAsOperator(_ path: String) async throws -> String {
    var found: String?
    try await eventually("an issue came") {
      let answer = try await get(path, headers: [("Authorization", "Bearer operators-key")]).json()
      found = answer["issues"].array.first?["id"].string
      return found != nil
    }
    return try #require(found)
  }
}
