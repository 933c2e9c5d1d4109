/// What is searched: each has fields of its own, and some that all share.
enum SearchDomain: String, Sendable, CaseIterable {
  case sessions, requests, events, issues
}

/// What may stand in front of a colon.
struct SearchField: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// A name: found by its beginning, or by the beginning of one of its parts.
    case name
    /// Parts are counted: 2.1 is the beginning of 2.1.4, and not of 2.10.
    case version
    /// Text: found by any part of it, or by its words.
    case text
    /// One of these; a beginning will do.
    case choice([String])
    /// A response: a code, a class (5xx), none, unfinished.
    case status
    case number(SearchUnit)
  }

  var name: String
  var kind: Kind
  /// For people.
  var summary: String
  var example: String
  var aliases: [String] = []
  /// Model names have commas in them.
  var splitsAtCommas = true
  /// Whether the values that there are can be listed.
  var hasValues = false

  /// Takes `<` and `>`.
  var isCompared: Bool {
    switch kind {
    case .number, .status: true
    default: false
    }
  }

  var choices: [String] {
    if case .choice(let values) = kind { values } else { [] }
  }
}

enum SearchUnit: String, Sendable {
  case count, duration, bytes

  /// The suffixes that it takes, the longest first, each with its factor.
  var factors: [(suffix: String, factor: Double)] {
    switch self {
    case .count: [("", 1)]
    case .duration:
      [("min", 60_000), ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1)]
    case .bytes: [("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("b", 1), ("", 1)]
    }
  }

  /// `1.5s` as 1500; nil when it is no such number.
  func number(_ text: some StringProtocol) -> Double? {
    let lower = text.lowercased()
    for (suffix, factor) in factors where lower.hasSuffix(suffix) {
      let digits = lower.dropLast(suffix.count)
      guard (1...15).contains(digits.count), digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
        let value = Double(digits)
      else { continue }
      return value * factor
    }
    return nil
  }

  var example: String {
    switch self {
    case .count: "a number, like 10, >10 or <=10"
    case .duration: "a length of time, like >500ms, >2s or <1m (ms, s, m, h, d)"
    case .bytes: "a size, like >10KB or <2MB"
    }
  }
}

/// How a number is compared; the raw value is SQL's word for it, too.
enum SearchComparison: String, Sendable, CaseIterable {
  // Longer ones first: that is how they are looked for.
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case more = ">"
  case equal = "="
}
