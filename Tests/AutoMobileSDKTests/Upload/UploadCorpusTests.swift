import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// `Tests/UploadRules/corpus.json`: what the collector is asked as well, so that what it checks and tries is what a device does.
@Suite struct UploadCorpusTests {
  private let corpus: MetadataValue

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../UploadRules/corpus.json")
    corpus = try JSONDecoder().decode(MetadataValue.self, from: Data(contentsOf: file))
  }

  @Test func `sections are read, and refused in the same words`() throws {
    for entry in corpus["sections"].list {
      let value = ControlValue("upload", entry["section"])
      if let reason = entry["whole"].string {
        #expect { _ = try UploadSection(value) } throws: { "\($0)" == reason }
        continue
      }
      let section = try UploadSection(value)
      #expect(section.refused == entry["refused"].list.compactMap(\.string))
      guard case .whenTriggered(let rules)? = section.policy else { continue }
      #expect(rules.rules.map(\.name) == entry["rules"].list.compactMap(\.string))
    }
    #expect(corpus["sections"].list.count > 90)
  }

  @Test func `rules apply to the events that it names`() throws {
    let events = corpus["events"].list
    for entry in corpus["matching"].list {
      let trigger = try UploadTrigger(ControlValue("when", entry["when"]))
      let compiled = CompiledRules([UploadRule("rule", when: trigger)])
      let applies = events.filter { event in
        var found = false
        Array((event["json"].string ?? "").utf8).withUnsafeBytes {
          let bytes = EventBytes($0)
          compiled.match(bytes, type: EventHead(bytes).type) { _ in found = true }
        }
        return found
      }
      #expect(names(applies) == Set(entry["applies"].list.compactMap(\.string)), "\(trigger)")
    }
    #expect(events.count > 60 && corpus["matching"].list.count > 45)
  }

  @Test func `stretches are those that it names`() throws {
    for entry in corpus["stretches"].list {
      let keeping = try KeepingBench()
      let journal = try keeping.bench.journal()
      defer { journal.closeAndWait() }
      let marks = try mark(entry, in: journal, keeping)
      var records: [(name: String, position: UInt64)] = []
      _ = journal.walk(journal.launch, from: 0, maximumBytes: 1 << 20) { kind, position, _, payload in
        let event = EventBytes(payload)
        guard kind == .event, let place = event.member(Array("what".utf8)) else { return }
        records.append((event.withText(place) { String(decoding: $0, as: UTF8.self) } ?? "", position))
      }
      func sent(_ marks: [UploadMark]) -> Set<String> {
        Set(
          records.filter { record in
            marks.contains { $0.from <= record.position && record.position < $0.to ?? .max }
          }.map(\.name))
      }
      let what = entry["what"].string ?? ""
      for (rule, expected) in entry["sent"].members {
        let own = marks.filter { $0.name == "rule:\(rule)" }
        #expect(sent(own) == Set(expected.list.compactMap(\.string)), "\(what): \(rule)")
        #expect(entry["fired"][rule] == .int(Int64(own.count)), "\(what): \(rule)")
      }
      #expect(sent(marks) == Set(entry["total"].list.compactMap(\.string)), "\(what)")
    }
    #expect(corpus["stretches"].list.count >= 8)
  }

  /// Records the events, has them looked at, and gives what was written down.
  private func mark(_ entry: MetadataValue, in journal: Journal, _ keeping: KeepingBench) throws -> [UploadMark] {
    var contexts: [String] = []
    for event in entry["events"].list {
      let session = event["session"].string ?? "one"
      if !contexts.contains(session) {
        contexts.append(session)
        journal.setPreamble(
          .context, Array(#"{"contextId":\#(contexts.count),"sessionId":"\#(session)"}"#.utf8))
      }
      guard case .object(var members) = event["event"], case .double(let at) = event["at"].asDouble else { continue }
      members["timestamp"] = .int(KeepingBench.start + Int64(at * 1000))
      members["what"] = event["name"]
      let json = MetadataValue.object(members).text.dropLast()
      journal.appendSurely("\(json),\"contextId\":\((contexts.firstIndex(of: session) ?? 0) + 1)}")
    }
    let rules = try entry["rules"].list.enumerated().map {
      try UploadRule(ControlValue("rules[\($0.offset)]", $0.element))
    }
    keeping.keeper(journal, rules).look([])
    let note = try #require(journal.note(of: journal.launch))
    return try JSONDecoder().decode(LaunchNote.self, from: Data(note)).marks
  }

  @Test func `shares of sessions are those that it names`() {
    for entry in corpus["shares"].list {
      let id = entry["session"].string ?? ""
      for (name, isIn) in [("in", true), ("out", false)] {
        for fraction in entry[name].list {
          guard case .double(let rate) = fraction.asDouble else { continue }
          #expect(SessionSampling.isSampled(id, rate: rate) == isIn, "\(id) \(rate)")
        }
      }
    }
    #expect(corpus["shares"].list.count > 5)
  }

  private func names(_ events: [MetadataValue]) -> Set<String> { Set(events.compactMap { $0["name"].string }) }
}

extension MetadataValue {
  fileprivate subscript(name: String) -> MetadataValue { members[name] ?? .null }
  fileprivate var members: [String: MetadataValue] { if case .object(let members) = self { members } else { [:] } }
  fileprivate var list: [MetadataValue] { if case .array(let list) = self { list } else { [] } }
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var asDouble: MetadataValue { if case .int(let int) = self { .double(Double(int)) } else { self } }
}
