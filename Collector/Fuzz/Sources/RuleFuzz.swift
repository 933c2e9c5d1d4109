import Foundation

@testable import AutoMobileCollector

/// Rules that people write: of what leaves a device, and of what they want to be told.
enum RuleFuzz {
  // MARK: Uploads

  /// The first line is a section `upload` of a configuration; the others are events that its rules are held against.
  static func uploads(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { UnsafeRawBufferPointer(rebasing: $0) }
    guard let first = lines.first, let tree = try? JSONTree(checking: first, maximumDepth: 16) else { return }
    let section = UploadSection(tree)
    expect(section.rules.count <= UploadSection.mostRules, "the number of rules is bounded")
    expect(Set(section.rules.map { $0.rule.name }).count == section.rules.count, "each rule has a name of its own")
    expect(
      section.problems.allSatisfy { $0.place.hasPrefix("upload") && $0.reason.hasPrefix("upload") },
      "it is said where something is wrong")
    do {
      try section.check()
      expect(section.problems.isEmpty, "nothing is taken in which something is wrong")
    } catch let error as APIError {
      expect(error.status == .badRequest && !error.problems.isEmpty, "it is said what is wrong")
    } catch {
      expect(false, "only answers are thrown, not \(error)")
    }
    for (_, rule) in section.rules {
      let span = rule.send
      expect(
        (0...3_600_000).contains(span.beforeMs) && (0...3_600_000).contains(span.afterMs), "an hour goes at most")
      var text = written(rule).text
      let again = text.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 16) }
      expect((try? UploadRule(PlacedValue("rule", again))) == rule, "a rule is read as it is written")
      let matcher = UploadMatcher(rule.when)
      for line in lines.prefix(20) {
        let members = RecordedMembers(line)
        _ = matcher.matches(members)
        expect((0...line.count).contains(members.bodyBytes), "bodies are a part of their request")
      }
    }
  }

  private static func written(_ rule: UploadRule) -> JSONTree {
    let send: JSONTree = [
      "minutesBefore": .number(rule.send.minutesBefore), "minutesAfter": .number(rule.send.minutesAfter),
      "perDay": rule.send.perDay.map { JSONTree.integer(Int64($0)) } ?? .null,
      "priority": .integer(Int64(rule.send.priority)), "replay": .bool(rule.send.replay),
      "bodies": .bool(rule.send.bodies),
    ]
    return ["name": .string(rule.name), "when": written(rule.when), "send": send]
  }

  private static func written(_ trigger: UploadTrigger) -> JSONTree {
    switch trigger {
    case .crash: return ["crash": true]
    case .unexpectedEnd: return ["unexpectedEnd": true]
    case .handledFailure: return ["handledFailure": true]
    case .rageTap: return ["rageTap": true]
    case .deadTap: return ["deadTap": true]
    case .capture: return ["capture": true]
    case .hang(let least): return ["hang": ["atLeastMs": .number(least)]]
    case .slowLaunch(let least): return ["slowLaunch": ["atLeastMs": .number(least)]]
    case .frozenFrames(let least): return ["frozenFrames": ["atLeast": .integer(Int64(least))]]
    case .log(let least, let tag):
      return ["log": ["level": .string(UploadTrigger.logLevels[least]), "tag": text(tag)]]
    case .sessions(let fraction): return ["sessions": ["fraction": .number(fraction)]]
    case .request(let request):
      let members: JSONTree = [
        "host": text(request.host), "path": text(request.pathPrefix), "method": text(request.method),
        "status": text(request.status.map { "\($0.lowerBound)-\($0.upperBound)" }),
        "atLeastMs": request.atLeastMs.map(JSONTree.number) ?? .null,
        "failed": request.failed.map(JSONTree.bool) ?? .null,
      ]
      return ["request": members]
    case .event(let event):
      let conditions = event.conditions.map { written($0) }
      return ["event": ["type": text(event.type), "name": text(event.name), "where": .array(conditions)]]
    }
  }

  private static func written(_ condition: UploadCondition) -> JSONTree {
    let test: (name: String, value: JSONTree) =
      switch condition.test {
      case .text(let text): ("equals", .string(text))
      case .number(let number): ("equals", .number(number))
      case .bool(let bool): ("equals", .bool(bool))
      case .contains(let text): ("contains", .string(text))
      case .atLeast(let number): ("atLeast", .number(number))
      case .atMost(let number): ("atMost", .number(number))
      }
    return ["field": .string(condition.field), test.name: test.value]
  }

  private static func text(_ text: String?) -> JSONTree { text.map(JSONTree.string) ?? .null }

  // MARK: Alerts

  static func alert(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    guard let tree = try? JSONTree(checking: bytes, maximumDepth: 8) else { return }
    do {
      let rule = try AlertRule(tree)
      expect((1...AlertRule.longestName).contains(rule.name.utf8.count), "a name is as long as one that is given")
      let texts = [rule.name, rule.sentence, AlertRule.sentence(rule.kind, rule.settings, isShort: true)]
      expect(texts.allSatisfy { $0.utf8.count < 4000 && !$0.hasControlCharacters }, "what is said is one line")
      let kept = try JSONEncoder().encode(rule.settings)
      expect(try JSONDecoder().decode(AlertRule.Settings.self, from: kept) == rule.settings, "it is read as it is kept")
      for known in AlertRule.Kind.allCases where known != rule.kind {
        expect((try? AlertRule(tree, kind: known)) == nil, "a rule stays of its kind")
      }
      // Letters of other scripts may be longer in the other case.
      guard [rule.settings.method, rule.settings.host].allSatisfy({ $0?.utf8.allSatisfy { $0 < 0x80 } ?? true }) else {
        return
      }
      guard let again = try? AlertRule(shown(rule)) else { return expect(false, "what is shown of a rule is one") }
      var settings = rule.settings
      // What happens once has no end that could be told, and does not say so.
      if rule.kind.isMoment { settings.resolved = true }
      expect(
        again.name == rule.name && again.kind == rule.kind && again.settings == settings, "it is read as it is shown")
    } catch let error as APIError {
      expect(error.status == .badRequest, "it is said what is wrong")
    } catch {
      expect(false, "only answers are thrown, not \(error)")
    }
  }

  /// What of a rule somebody else may set.
  private static func shown(_ rule: AlertRule) throws -> JSONTree {
    var json = JSONOutput()
    rule.write(to: &json)
    let tree = try json.buffer.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: 8) }
    let others = ["id", "sentence", "held", "since", "changedAt", "changedBy"]
    return .object(tree.members.filter { !others.contains($0.key) })
  }
}
