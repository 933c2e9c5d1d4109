import Foundation
import Logging
import OpenTelemetryProto
import Testing

@testable import AutoMobileCollector

@Suite struct `What a lane does by itself` {
  @Test func `a receiver that let nothing through is asked once more, and gets everything`() async throws {
    let receiver = try CannedServer { $0 < 2 ? .text("404 Not Found", "deploying") : .text("200 OK", "") }
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch(bundleId: "dev.example.shop")
      batch.addContext(1, session: "one", user: "ada")
      for index in 0..<5 { batch.addLog("one \(index)", level: 2) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let body = #"{"url":"http://127.0.0.1:\#(receiver.port)","types":["log"],"fromBeginning":true,"gzip":false}"#
    let id = try await store.forwarders.save(
      try JSONDecoder().decode(JSONTree.self, from: Data(body.utf8)), by: "test", at: WallClock.now)
    let forwarding = Forwarding(
      store: store, egress: Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"])),
      metrics: CollectorMetrics(), logger: Logger(label: "test"), pause: ForwardPause(blocked: 0.2))
    defer { forwarding.stop(within: 1) }
    let deadline = ContinuousClock.now + .seconds(90)
    while receiver.requests.count < 3, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
    #expect(receiver.requests.count == 3)
    #expect(receiver.requests.allSatisfy { $0.contains("one 4") })
    while ContinuousClock.now < deadline {
      let entry = try await store.state.read { try ForwardLedger.entries(in: $0) }[.init(forwarder: id, signal: .logs)]
      if entry?.sent == 5 { return #expect(entry?.rejected == 0) }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("what was acknowledged was not written down")
  }

  @Test func `what has come through this collector, or through eight, is not taken`() {
    #expect(ForwardTrail(nil).refusal(by: "a") == nil)
    #expect(ForwardTrail("b,c").refusal(by: "a") == nil)
    #expect(ForwardTrail("b,a").refusal(by: "a") != nil)
    #expect(ForwardTrail("b,ab").refusal(by: "a") == nil)
    #expect(ForwardTrail("1,2,3,4,5,6,7").refusal(by: "a") == nil)
    #expect(ForwardTrail("1,2,3,4,5,6,7,8").refusal(by: "a") != nil)
    #expect(ForwardTrail(String(repeating: ",", count: 100_000)).refusal(by: "a") == nil)
    var resource = OTLP.Resource()
    ForwardTrail.sign(&resource, as: "a")
    ForwardTrail.sign(&resource, as: "b")
    #expect(resource.attributes.map(\.value.stringValue) == ["a,b"])
  }
}
