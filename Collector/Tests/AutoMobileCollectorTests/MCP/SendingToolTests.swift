import AutoMobileJournal
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

/// What agents are told of flight recorder mode, over the API of a collector that runs.
@Suite struct `Tools about what is sent` {
  private struct Asking: Questions {
    let collector: RunningCollector

    func ask(_ question: Question) async throws -> QuestionAnswer {
      let headers = question.body == nil ? [] : [("Content-Type", "application/json")]
      let answer = try await collector.send(
        HTTPMethod(rawValue: question.method.rawValue), question.target, headers: headers, body: question.body)
      return QuestionAnswer(status: answer.status, body: answer.body, isCompressed: false)
    }
  }

  private func say(_ tool: Tool, _ arguments: JSONTree, _ collector: RunningCollector) async -> ToolAnswer {
    await tool.answer(arguments, AskedAPI(questions: Asking(collector: collector), viewer: nil))
  }

  private static let app = RunningCollector.shop

  @Test func `what was not sent is said by app and week, and the same as the page shows`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addLog("came", at: Summary.start)
      batch.add(Summary(session: "s-1", kept: (109, 1 << 20, Summary.start + Summary.week)))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      let savings = try await collector.json("/api/health/savings")
      let saved = try #require(savings["savedBytes"].int)
      #expect(saved > 0)
      let answer = await say(.bytesSaved, [:], collector)
      #expect(!answer.isError && answer.lines.count == 2, "\(answer.lines)")
      #expect(answer.lines.first?.hasPrefix("all: \(saved) bytes not sent, ") == true, "\(answer.lines)")
      #expect(answer.lines.last?.contains("· \(Self.app) · \(saved) bytes not sent, ") == true)
      #expect(answer.lines.last?.contains("109 events kept, 2 sent") == true, "\(answer.lines)")
      let other = await say(.bytesSaved, ["app": "dev.example.other"], collector)
      #expect(other.lines == ["all: 0 bytes not sent, 0 sent; 0 events kept, 0 sent"])
    }
  }

  @Test func `rules are said as the app gets them, and tried, with others too`() async throws {
    try await RunningCollector.with { collector in
      let silent = await say(.sendingRules, ["app": .string(Self.app)], collector)
      #expect(silent.lines == ["mode: as the app itself is configured, which the collector does not know"])
      let document =
        #"{"upload":{"schema":1,"mode":"whenTriggered","keepDays":3,"rules":[{"name":"errors","when":{"log":{"level":"error"}}}]}}"#
      let put = try await collector.send(
        .PUT, "/api/config/\(Self.app)", headers: [("Content-Type", "application/json")],
        body: ByteBuffer(string: document))
      try #require(put.status == 200, "\(put.text)")
      let rules = await say(.sendingRules, ["app": .string(Self.app)], collector)
      #expect(rules.lines.starts(with: ["mode: what rules name is sent, the rest stays on devices", "keepDays: 3"]))
      #expect(rules.lines.last?.contains(#""name":"errors""#) == true, "\(rules.lines)")

      let now = Int(WallClock.now)
      var batch = RunningCollector.session("s-1", device: "d", user: "ada")
      for index in 0..<3 { batch.addLog("m", at: now - 5000 + index * 10, level: index == 1 ? 4 : 2) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
      let tried = await say(.trySendingRules, ["app": .string(Self.app)], collector)
      #expect(tried.lines.first == "looked at: 1 sessions in 1 launches on 1 devices", "\(tried.lines)")
      #expect(tried.lines.last?.hasPrefix("rule errors: matched 1 times, fired 1 ") == true, "\(tried.lines)")
      let others = #"{"upload":{"rules":[{"name":"calm","when":{"crash":true}},{"name":"bad","when":{}}]}}"#
      let other = await say(.trySendingRules, ["app": .string(Self.app), "rules": .string(others)], collector)
      #expect(other.lines.contains { $0.hasPrefix("rule calm: matched 0 times, fired 0 ") }, "\(other.lines)")
      #expect(other.lines.last?.hasPrefix("refused: upload.rules[1]") == true, "\(other.lines)")
      // Nothing of it was stored.
      #expect(await say(.sendingRules, ["app": .string(Self.app)], collector).lines == rules.lines)
      for text in ["all of them", "[1]", "{}", #"{"rules":"#] {
        let wrong = await say(.trySendingRules, ["app": .string(Self.app), "rules": .string(text)], collector)
        #expect(wrong.isError && wrong.text().contains("must be JSON"), "\(text)")
      }
    }
  }
}
