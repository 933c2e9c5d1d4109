import Foundation
import Testing

@testable import AutoMobileCollector

/// `Tests/UploadRules/corpus.json`: what the SDK is asked as well, so that what is checked and tried here is what a device does.
@Suite struct `Rules for sending are what a device takes them for` {
  private let corpus: JSONTree

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Tests/UploadRules/corpus.json")
    corpus = try JSONDecoder().decode(JSONTree.self, from: Data(contentsOf: file))
  }

  private func list(_ name: String) -> [JSONTree] { corpus[name]?.elements ?? [] }

  @Test func `sections are read, and refused in the same words`() throws {
    for entry in list("sections") {
      let section = UploadSection(entry["section"])
      if let reason = entry["whole"]?.string {
        #expect(section.problems.map(\.reason) == [reason])
        continue
      }
      #expect(section.problems.map(\.reason) == entry["refused"]?.elements.compactMap(\.string))
      #expect(section.rules.map(\.rule.name) == entry["rules"]?.elements.compactMap(\.string))
    }
    #expect(list("sections").count > 90)
  }

  @Test func `rules apply to the events that it names`() throws {
    for entry in list("matching") {
      let matcher = UploadMatcher(try UploadTrigger(PlacedValue("when", entry["when"])))
      let applies = list("events").filter { event in
        let json = event["json"]?.string ?? ""
        let type = (try? JSONDecoder().decode(JSONTree.self, from: Data(json.utf8)))?["eventType"]?.string
        guard matcher.type == nil || matcher.type == type else { return false }
        return Array(json.utf8).withUnsafeBytes { matcher.matches(RecordedMembers($0)) }
      }
      #expect(names(applies) == names(entry["applies"]), "\(matcher.when)")
    }
    #expect(list("events").count > 60 && list("matching").count > 45)
  }

  @Test func `stretches are those that it names`() throws {
    for entry in list("stretches") {
      var rules: [UploadRule] = []
      for rule in entry["rules"]?.elements ?? [] { rules.append(try UploadRule(PlacedValue("rule", rule))) }
      let events = entry["events"]?.elements ?? []
      let (stretches, fired) = try run(events, rules)
      func sent(_ ranges: [Range<Int>]) -> Set<String> {
        Set(ranges.flatMap { $0 }.compactMap { events[$0]["name"]?.string })
      }
      let what = entry["what"]?.string ?? ""
      for (index, rule) in rules.enumerated() {
        #expect(sent(stretches.stretches(of: index)) == names(entry["sent"]?[rule.name]), "\(what): \(rule.name)")
        #expect(fired.rules[index].fired == entry["fired"]?[rule.name]?.integer, "\(what): \(rule.name)")
      }
      let total = sent(stretches.allStretches)
      #expect(total == names(entry["total"]), "\(what)")
      #expect(fired.total.events == Int64(total.count), "\(what)")
    }
    #expect(list("stretches").count >= 8)
  }

  /// The stretches of one launch, and what is counted of them.
  private func run(_ events: [JSONTree], _ rules: [UploadRule]) throws -> (LaunchStretches, DryRunFigures) {
    let types = ["log", "handled_exception", "crash", "session_summary", "network_request"]
    let matchers = rules.map { UploadMatcher($0.when) }
    var byType: [Int64: [Int]] = [:]
    for (id, type) in types.enumerated() {
      byType[Int64(id)] = matchers.indices.filter { matchers[$0].type == nil || matchers[$0].type == type }
    }
    let compiled = DryRunDevice.Rules(
      rules: rules, matchers: matchers, byType: byType,
      sessionRules: rules.enumerated().compactMap { index, rule in
        if case .sessions(let fraction) = rule.when { (index, fraction) } else { nil }
      }, alwaysSent: [1, 2, 3], summary: 3, lasting: [4], breadcrumb: 9)
    var device = DryRunDevice(compiled)
    device.begin(.init())
    var sessions: [String] = []
    for event in events {
      let session = event["session"]?.string ?? "one"
      if !sessions.contains(session) { sessions.append(session) }
      let payload = event["event"]?.adding("contextId", .integer(1)).text ?? ""
      Array(payload.utf8).withUnsafeBytes { bytes in
        device.look(
          at: DryRunDevice.Event(
            session: Int64(sessions.firstIndex(of: session) ?? 0),
            type: Int64(types.firstIndex(of: event["event"]?["eventType"]?.string ?? "") ?? 0),
            timestamp: 1_700_000_000_000 + Int64((event["at"]?.number ?? 0) * 1000),
            duration: event["event"]?["durationMs"]?.integer ?? 0, bytes: 1, payload: bytes)
        ) { sessions[Int($0)] }
      }
    }
    var figures = DryRunFigures(rules: rules.count)
    device.finish(into: &figures)
    return (try #require(device.over), figures)
  }

  @Test func `shares of sessions are those that it names`() {
    for entry in list("shares") {
      let id = entry["session"]?.string ?? ""
      for (name, isIn) in [("in", true), ("out", false)] {
        for fraction in entry[name]?.elements ?? [] {
          #expect(SessionShare.contains(id, fraction: fraction.number ?? -1) == isIn, "\(id) \(fraction.text)")
        }
      }
    }
    #expect(list("shares").count > 5)
  }

  private func names(_ list: JSONTree?) -> Set<String> { Set((list?.elements ?? []).compactMap(\.string)) }
  private func names(_ events: [JSONTree]) -> Set<String> { Set(events.compactMap { $0["name"]?.string }) }
}

extension JSONTree {
  fileprivate func adding(_ name: String, _ value: JSONTree) -> JSONTree { merged(with: .object([name: value])) }
}
