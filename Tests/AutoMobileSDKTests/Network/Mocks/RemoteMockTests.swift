import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Rules that a collector sets, over real HTTP.
@Suite struct RemoteMockTests {
  private let once = #"{"id":"once","match":{"path":"/a"},"respond":{"status":204},"count":1}"#

  private func answer(_ network: AutoMobileNetwork) -> String? {
    let url = URL(string: "https://api.example.com/a") ?? URL(fileURLWithPath: "/")
    return network.mocks.answer(URLRequest(url: url), body: nil)?.rule
  }

  private func tell(_ collector: TestCollector, _ harness: NetworkHarness, _ version: Int, _ sections: String) async {
    collector.set(version, sections)
    harness.sdk.sdk.runtime?.control?.hear(of: "\(version)-test", from: collector.url)
    #expect(await eventually { harness.sdk.sdk.diagnostics.control?.version == Int64(version) })
  }

  @Test func `a collector's rules answer, and a used one does not when its document arrives again`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try NetworkHarness(endpoint: collector.url, hasControlChannel: true)
    await tell(collector, harness, 1, #""mocks":[\#(once)]"#)
    #expect(await eventually { harness.network.mocks.rules.map(\.id) == ["once"] })
    #expect(answer(harness.network) == "once" && answer(harness.network) == nil)
    await tell(collector, harness, 2, #""mocks":[\#(once)],"sampling":{"sessionRate":1}"#)
    #expect(answer(harness.network) == nil)
    let other = #"{"id":"other","respond":{"failure":"timedOut"}}"#
    await tell(collector, harness, 3, #""mocks":[\#(once),\#(other)]"#)
    #expect(await eventually { answer(harness.network) == "other" })
    await tell(collector, harness, 4, "")
    #expect(await eventually { answer(harness.network) == nil })
  }

  @Test func `rules that are not valid change nothing, and the diagnostics say why`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try NetworkHarness(endpoint: collector.url, hasControlChannel: true)
    let kept = #"{"id":"kept","respond":{"status":204}}"#
    await tell(collector, harness, 1, #""mocks":[\#(kept)]"#)
    #expect(await eventually { answer(harness.network) == "kept" })
    await tell(collector, harness, 2, #""mocks":[{"id":"a","respond":{"status":200}},{"id":"b"}]"#)
    let control = harness.sdk.sdk.diagnostics.control
    #expect(control?.log.contains { $0.message.contains("mocks[1].respond") } == true)
    #expect(answer(harness.network) == "kept")
  }

  @Test func `a release build ignores them`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try NetworkHarness(isDebugBuild: false, endpoint: collector.url, hasControlChannel: true)
    await tell(collector, harness, 1, #""mocks":[\#(once)]"#)
    #expect(harness.network.mocks.rules.isEmpty && answer(harness.network) == nil)
  }
}
