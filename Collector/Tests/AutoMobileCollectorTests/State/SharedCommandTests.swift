import AutoMobileState
import Foundation
import NIOCore
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

/// Whole collectors with one state, as they stand behind a balancer: each request of an app, and of whoever gives it commands, may go to
/// another one.
@Suite(.enabled(if: SharedState.isThere)) struct `Commands between collectors of one state` {
  private static let app = CommandCompany.app

  private static func id(_ question: RunningCollector.Answer) throws -> String {
    try #require(try question.json()["commands"][0]["id"].string, "\(question.status) \(question.text)")
  }

  @Test func `reach the app wherever it listens, and its answer whoever gave it`() async throws {
    try await CommandCompany.with { company in
      // Asked here, given there, answered at a third: for each of them.
      for turn in 0..<3 {
        let (here, there, third) = (turn, (turn + 1) % 3, (turn + 2) % 3)
        let launch = "aaaa-\(turn)"
        async let asked = company.asked(here, launch)
        try await company.waitForListener(launch)
        let listed = try await company[there].json("/api/commands")["listeners"].array
        let listener = try #require(listed.first { $0["launchId"].string == launch })
        #expect(listener["bundleId"].string == Self.app)
        #expect(listener["commands"].array.map(\.string) == ["ping", "flush"])
        async let given = company.command(
          there, #"{"command":"ping","launchId":"AAAA-\#(turn)","arguments":{"a":[1,"ü\u0000"]},"timeoutSeconds":30}"#)
        let question = try await asked.json()
        #expect(question["commands"].array.count == 1)
        #expect(question["commands"][0]["command"].string == "ping")
        #expect(question["commands"][0]["arguments"]["a"][1].string == "ü\0")
        #expect(question["commands"][0]["timeoutSeconds"].int == 30)
        let id = try #require(question["commands"][0]["id"].string)
        // Only the launch that was asked may answer, and only once, wherever it says it.
        #expect(try await company.answer(third, id, launch: "other", #"{"ok":true}"#).status == 404)
        #expect(try await company.answer(third, id, launch: launch, "[]").status == 400)
        #expect(try await company.answer(third, id, launch: launch, #"{"ok":true,"n":\#(turn)}"#).status == 200)
        let late = try await company.answer(here, id, launch: launch, #"{"ok":true}"#)
        #expect(late.status == 404 && late.errorCode == "no_command")
        let result = try await given
        #expect(result.status == 200, "\(result.text)")
        #expect(try result.json()["launchId"].string == launch && result.json()["bundleId"].string == Self.app)
        #expect(try result.json()["answer"]["n"].int == turn)
        // Both were told; else it would be found when its time is over.
        #expect(try #require(try result.json()["milliseconds"].int) < 30_000)
      }
      try await company.expectNoCommands()
    }
  }

  @Test func `wait for an app that asks elsewhere the next time, and give up on one that does not`() async throws {
    try await CommandCompany.with { company in
      // Who names no launch would be told of to all collectors as one that anybody may be.
      #expect(try await company.question(0, "", wait: 0).errorCode == "no_launch")
      #expect(try await company.question(0, "bbbb-1", wait: 0).status == 204)
      async let given = company.command(1, #"{"command":"ping","bundleId":"\#(Self.app)","timeoutSeconds":30}"#)
      let id = try Self.id(try await company.asked(2, "bbbb-1"))
      #expect(try await company.answer(0, id, launch: "bbbb-1", #"{"ok":true,"result":7}"#).status == 200)
      #expect(try await given.json()["answer"]["result"].int == 7)
      // It does not come again, and there is none after its time.
      #expect(try await company.question(1, "bbbb-1", wait: 0).status == 204)
      let late = try await company.command(2, #"{"command":"ping","launchId":"bbbb-1","timeoutSeconds":0.1}"#)
      #expect(late.status == 504 && late.errorCode == "timeout")
      #expect(try await company.question(0, "bbbb-1", wait: 0).status == 204)
      let nobody = try await company.command(1, #"{"command":"ping","launchId":"nobody"}"#)
      #expect(nobody.status == 404 && nobody.errorCode == "no_listener")
      try await company.expectNoCommands()
    }
  }

  @Test func `reach the latest question of an app, and let the earlier one go`() async throws {
    try await CommandCompany.with { company in
      async let first = company.question(0, "cccc-1")
      try await company.waitForListener("cccc-1")
      let start = ContinuousClock.now
      async let second = company.asked(1, "cccc-1")
      // Its connection may be one that is gone, and nobody has noticed. It would be held for 30 s.
      #expect(try await first.status == 204)
      #expect(ContinuousClock.now - start < .seconds(25))
      async let given = company.command(2, #"{"command":"flush","launchId":"cccc-1","timeoutSeconds":30}"#)
      let id = try Self.id(try await second)
      _ = try await company.answer(2, id, launch: "cccc-1", #"{"ok":true}"#)
      #expect(try await given.status == 200)
      #expect(try await company[0].json("/api/commands")["listeners"].array.count == 1)
    }
  }

  @Test func `for several apps at once come to each its own`() async throws {
    try await CommandCompany.with { company in
      // No more than the client has connections.
      let launches = (0..<3).map { "dddd-\($0)" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, launch) in launches.enumerated() {
          group.addTask {
            var seen: Set<String> = []
            var turn = index
            while seen.count < 2 {
              // Each question goes to the next collector, as does each answer.
              let question = try await company.question(turn % 3, launch)
              turn += 1
              guard question.status == 200 else { continue }
              for command in try question.json()["commands"].array {
                let id = try #require(command["id"].string)
                #expect(seen.insert(id).inserted)
                #expect(command["arguments"]["for"].string == launch)
                let body = #"{"ok":true,"by":"\#(launch)","n":\#(command["arguments"]["n"].int ?? -1)}"#
                #expect(try await company.answer(turn % 3, id, launch: launch, body).status == 200)
                turn += 1
              }
            }
          }
        }
        for launch in launches { try await company.waitForListener(launch) }
        for (index, launch) in launches.enumerated() {
          for n in 0..<2 {
            group.addTask {
              let given = try await company.command(
                (index + n) % 3,
                #"{"command":"ping","launchId":"\#(launch)","arguments":{"for":"\#(launch)","n":\#(n)},"timeoutSeconds":30}"#
              )
              #expect(given.status == 200, "\(given.text)")
              let answer = try given.json()["answer"]
              #expect(answer["by"].string == launch && answer["n"].int == n)
            }
          }
        }
        try await group.waitForAll()
      }
      try await company.expectNoCommands()
    }
  }

  @Test func `are neither seen nor given nor answered with the key of another project`() async throws {
    let operators = [("Authorization", "Bearer operators-key")]
    try await CommandCompany.with(adjust: { $0.operatorKeys = ["operators-key"] }) { company in
      func key(_ role: String, _ project: String) async throws -> [(String, String)] {
        let projects = try await company[0].get("/api/projects", headers: operators).json()["projects"].array
        let id = try #require(projects.first { $0["bundleId"].string == project }?["id"].int)
        let made = try await company[0].post(
          "/api/keys", #"{"name":"\#(role)","role":"\#(role)","project":\#(id)}"#, headers: operators
        ).json()
        return [("Authorization", "Bearer \(try #require(made["key"].string, "\(made)"))")]
      }
      for (name, bundle) in [("One", "com.example.one"), ("Two", "com.example.two")] {
        let made = try await company[0].post(
          "/api/projects", #"{"name":"\#(name)","bundleId":"\#(bundle)"}"#, headers: operators)
        #expect(made.status == 200, "\(made.text)")
      }
      let (own, other) = (try await key("operator", "com.example.one"), try await key("operator", "com.example.two"))
      let (appOne, appTwo) = (try await key("ingest", "com.example.one"), try await key("ingest", "com.example.two"))
      for collector in company.collectors {
        try await eventually("the keys are known") {
          for key in [own, other] {
            guard try await collector.get("/api/commands", headers: key).status == 200 else { return false }
          }
          for (key, bundle) in [(appOne, "com.example.one"), (appTwo, "com.example.two")] {
            let answer = try await collector.get("/sdk-config?bundleId=\(bundle)", headers: key)
            guard answer.status == 200 else { return false }
          }
          return true
        }
      }
      // The same launch's name: it is its app's.
      async let asked = company.asked(0, "same", bundle: "com.example.one", key: appOne)
      async let bystander = company.asked(1, "same", bundle: "com.example.two", key: appTwo)
      for (index, key, bundle) in [(2, own, "com.example.one"), (0, other, "com.example.two")] {
        try await eventually("it is listed, and nothing else") {
          let listed = try await company[index].get("/api/commands", headers: key).json()["listeners"].array
          return listed.map { $0["bundleId"].string } == [bundle]
        }
      }
      let refused = try await company.command(
        1, #"{"command":"ping","bundleId":"com.example.one","launchId":"same"}"#, key: other)
      #expect(refused.status == 404 && refused.errorCode == "no_listener")
      async let given = company.command(2, #"{"command":"ping","launchId":"same","timeoutSeconds":30}"#, key: own)
      let id = try Self.id(try await asked)
      // Whoever learns of its id is not whom it was for.
      for index in 0..<3 {
        #expect(try await company.answer(index, id, launch: "same", #"{"ok":"forged"}"#, key: appTwo).status == 404)
      }
      #expect(try await company.answer(1, id, launch: "same", #"{"ok":"true"}"#, key: appOne).status == 200)
      #expect(try await given.json()["answer"]["ok"].string == "true")
      async let elsewhere = company.command(
        2, #"{"command":"ping","bundleId":"com.example.two","timeoutSeconds":30}"#, key: other)
      let second = try Self.id(try await bystander)
      #expect(second != id)
      _ = try await company.answer(0, second, launch: "same", #"{"ok":true}"#, key: appTwo)
      #expect(try await elsewhere.status == 200)
    }
  }

  @Test func `bring answers as large as they may be, and no larger`() async throws {
    try await CommandCompany.with(2) { company in
      async let asked = company.asked(0, "eeee-1")
      try await company.waitForListener("eeee-1")
      async let given = company.command(1, #"{"command":"sql","launchId":"eeee-1","timeoutSeconds":30}"#)
      let id = try Self.id(try await asked)
      let frame = #"{"ok":""}"#.utf8.count
      let text = String(repeating: "x", count: CommandRoutes.longestAnswer - frame)
      let tooLarge = try await company.answer(0, id, launch: "eeee-1", #"{"ok":"\#(text)x"}"#)
      #expect(tooLarge.status == 413)
      #expect(try await company.answer(0, id, launch: "eeee-1", #"{"ok":"\#(text)"}"#).status == 200)
      #expect(try await given.json()["answer"]["ok"].string == text)
      try await company.expectNoCommands()
    }
  }

  @Test func `are not given to an app whose connection is gone, wherever that was`() async throws {
    try await CommandCompany.with(2) { company in
      // Its process is what ends it.
      let app = Process()
      app.executableURL = URL(filePath: "/usr/bin/env")
      app.arguments = [
        "curl", "--silent",
        "\(company[0].url)/sdk-commands?launchId=ffff-1&bundleId=\(Self.app)&commands=ping&wait=30",
      ]
      app.standardOutput = FileHandle.nullDevice
      try app.run()
      try await company.waitForListener("ffff-1")
      kill(app.processIdentifier, SIGKILL)
      // The lease would last for 40 s.
      let start = ContinuousClock.now
      let listed = try await company[1].wait(for: "/api/commands") { $0["listeners"].array.isEmpty }
      #expect(ContinuousClock.now - start < .seconds(35))
      #expect(listed["left"].array.map(\.string) == ["ffff-1"])
      #expect(try await company.command(1, #"{"command":"ping","launchId":"ffff-1"}"#).status == 404)
    }
  }

  @Test func `end with the collector that was asked, and not with the others`() async throws {
    try await CommandCompany.with(2) { company in
      async let asked = company.asked(1, "gggg-1")
      try await company.waitForListener("gggg-1")
      async let given = company.command(0, #"{"command":"ping","launchId":"gggg-1","timeoutSeconds":30}"#)
      let id = try Self.id(try await asked)
      async let again = company.asked(1, "gggg-1")
      company[0].collector.stop()
      #expect(try await given.status == 503)
      // Nobody waits for it any more, and the app goes on.
      try await eventually("the command is gone") {
        let rows = try await company[1].collector.state.read { try $0.rows("SELECT id FROM command") }
        return rows.isEmpty
      }
      #expect(try await company.answer(1, id, launch: "gggg-1", #"{"ok":true}"#).status == 404)
      async let next = company.command(1, #"{"command":"ping","launchId":"gggg-1","timeoutSeconds":30}"#)
      let second = try Self.id(try await again)
      _ = try await company.answer(1, second, launch: "gggg-1", #"{"ok":true}"#)
      #expect(try await next.status == 200)
    }
  }

  @Test(.timeLimit(.minutes(5))) func `outlive a collector that is killed`() async throws {
    try await CommandCompany.with(2) { company in
      let directory = try TemporaryDirectory()
      let killed = try await company.process(in: directory.url)
      @Sendable func ask(_ launch: String) async -> String {
        let path = "/sdk-commands?launchId=\(launch)&bundleId=\(Self.app)&commands=ping&wait=30"
        return (try? await killed.get(path)) ?? ""
      }
      async let held = ask("hhhh-1")
      async let taken = ask("hhhh-2")
      for launch in ["hhhh-1", "hhhh-2"] { try await company.waitForListener(launch) }
      // One has its command when its collector is killed, and does not come back.
      async let lost = company.command(0, #"{"command":"ping","launchId":"hhhh-2","timeoutSeconds":1}"#)
      #expect(await taken.contains(#""command":"ping""#))
      await killed.kill()
      #expect(await held.isEmpty)
      let gone = try await lost
      #expect(gone.status == 504 && gone.errorCode == "timeout")
      // The other one asks elsewhere, and is the same.
      async let asked = company.asked(1, "hhhh-1")
      try await eventually("it asks again") {
        try await company.rows("SELECT launch FROM command_listener WHERE launch = 'hhhh-1' AND earlier IS NOT NULL")
          .count == 1
      }
      async let given = company.command(0, #"{"command":"ping","launchId":"hhhh-1","timeoutSeconds":30}"#)
      let id = try Self.id(try await asked)
      _ = try await company.answer(0, id, launch: "hhhh-1", #"{"ok":true}"#)
      #expect(try await given.status == 200)
      // What is left of one that nobody asks for is over at a time that is known: the longest question, and ten seconds.
      let state = company[0].collector.state
      let lease = try await state.read { state in
        let now = try state.clock()
        return try state.value("SELECT MAX(endsAt) FROM command_listener").map { (end: Int64) in end - now }
      }
      #expect(try #require(lease) <= 40_000)
      _ = try await state.write { try $0.execute("UPDATE command_listener SET endsAt = endsAt - 40000") }
      for collector in company.collectors {
        let listed = try await collector.json("/api/commands")
        #expect(listed["listeners"].array.isEmpty)
        #expect(Set(listed["left"].array.map(\.string)) == ["hhhh-1", "hhhh-2"])
      }
      #expect(try await company.command(1, #"{"command":"ping","launchId":"hhhh-2"}"#).status == 404)
    }
  }

  @Test func `leave nothing in the index, and cost nothing, where the state is not shared`() async throws {
    guard !SharedState.isWanted else { return }
    try await RunningCollector.with { collector in
      #expect(collector.collector.commands is CommandExchange)
      async let asked = collector.get("/sdk-commands?launchId=iiii-1&bundleId=\(Self.app)&commands=ping&wait=30")
      try await collector.wait(for: "/api/commands") { $0["listeners"].array.count == 1 }
      async let given = collector.post("/api/commands", #"{"command":"ping","launchId":"iiii-1","timeoutSeconds":30}"#)
      let id = try Self.id(try await asked)
      for table in ["SELECT 1 FROM command", "SELECT 1 FROM command_listener"] as [StateSQL] {
        #expect(try await collector.collector.state.read { try $0.rows(table) }.isEmpty)
      }
      _ = try await collector.post("/sdk-commands/\(id)/result?launchId=iiii-1", #"{"ok":true}"#)
      #expect(try await given.status == 200)
    }
  }
}
