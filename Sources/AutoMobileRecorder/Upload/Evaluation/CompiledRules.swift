/// Rules, ready to be held against events: for each type, those that concern it.
///
/// An event of a type that no rule concerns costs a look at a word.
// Sendable, since what the pointers lead to is filled before anybody else has them, and never changed.
struct CompiledRules: @unchecked Sendable {
  let rules: [UploadRule]
  private let matchers: UnsafeBufferPointer<RuleMatcher>
  /// The rules that concern a type, one type after the other; and where those of each begin, by ``EventTypeNumber``.
  private let order: UnsafeBufferPointer<Int>
  private let starts: UnsafeBufferPointer<Int>
  /// What all that is kept in.
  private let texts: RuleTexts
  /// Bit n is set when a rule concerns type n.
  private let types: UInt64
  /// Shares of sessions.
  let sessionRules: [(index: Int, fraction: Double)]
  /// How many were cut off.
  let cutOff: Int

  init(_ rules: [UploadRule]) {
    cutOff = max(0, rules.count - UploadRules.maximumRules)
    self.rules = Self.named(rules.prefix(UploadRules.maximumRules))
    let texts = RuleTexts()
    self.texts = texts
    matchers = texts.keep(self.rules.map { RuleMatcher($0.when, texts) })
    let concerned = self.rules.map { RuleMatcher.types(of: $0.when) }
    var (order, starts, types): ([Int], [Int], UInt64) = ([], [0], 0)
    for type in 0..<EventTypeNumber.count {
      order += concerned.indices.filter { concerned[$0]?.contains(type) ?? true }
      if order.count > starts[type] { types |= 1 << UInt64(clamping: type) }
      starts.append(order.count)
    }
    (self.order, self.starts, self.types) = (texts.keep(order), texts.keep(starts), types)
    sessionRules = self.rules.enumerated().compactMap { index, rule in
      if case .sessions(let fraction) = rule.when { (index, fraction) } else { nil }
    }
  }

  /// Of rules of one name the later ones get a number: what is counted of them, and what they mark, is told apart by it.
  private static func named(_ rules: some Sequence<UploadRule>) -> [UploadRule] {
    var names: Set<String> = []
    return rules.map { rule in
      var (rule, number) = (rule, 2)
      let name = rule.name.limited(to: UploadRule.longestName - 8)
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
    // Nobody says what the pointers lead into, so that it could go first.
    withExtendedLifetime(texts) {
      for place in starts[type]..<starts[type + 1] where matchers[order[place]].matches(event) { body(order[place]) }
    }
  }
}
