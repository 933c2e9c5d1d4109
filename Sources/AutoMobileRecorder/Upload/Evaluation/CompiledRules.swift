/// Rules, ready to be held against events: for each type, those that concern it.
///
/// An event of a type that no rule concerns costs a look at a word.
struct CompiledRules: Sendable {
  let rules: [UploadRule]
  private let matchers: [RuleMatcher]
  /// By ``EventTypeNumber``.
  private let byType: [[Int]]
  /// Bit n is set when a rule concerns type n.
  private let types: UInt64
  /// Shares of sessions.
  let sessionRules: [(index: Int, fraction: Double)]
  /// How many were cut off.
  let cutOff: Int

  init(_ rules: [UploadRule]) {
    cutOff = max(0, rules.count - UploadRules.maximumRules)
    self.rules = Self.named(rules.prefix(UploadRules.maximumRules))
    matchers = self.rules.map { RuleMatcher($0.when) }
    var byType = [[Int]](repeating: [], count: EventTypeNumber.count)
    for (index, matcher) in matchers.enumerated() {
      for type in matcher.types ?? Array(0..<EventTypeNumber.count) { byType[type].append(index) }
    }
    self.byType = byType
    types = byType.enumerated().reduce(0) { $1.element.isEmpty ? $0 : $0 | 1 << UInt64(clamping: $1.offset) }
    sessionRules = self.rules.enumerated().compactMap { index, rule in
      if case .sessions(let fraction) = rule.when { (index, fraction) } else { nil }
    }
  }

  /// Of rules of one name the later ones get a number: what is counted of them, and what they mark, is told apart by it.
  private static func named(_ rules: some Sequence<UploadRule>) -> [UploadRule] {
    var names: Set<String> = []
    return rules.map { rule in
      var (rule, number) = (rule, 2)
      let name = rule.name
      while !names.insert(rule.name).inserted {
        rule.name = "\(name) \(number)"
        number += 1
      }
      return rule
    }
  }

  /// Calls `body` with the index of each rule that applies to an event, in their order.
  @inline(__always)
  func match(_ event: EventBytes, type: Int, _ body: (Int) -> Void) {
    guard types >> UInt64(clamping: type) & 1 == 1 else { return }
    for index in byType[type] where matchers[index].matches(event) { body(index) }
  }
}
