/// What is taken out of what an app sends, before anything of it is written.
struct RedactionRules: Sendable, Equatable {
  /// The numbers of the rules.
  var patterns: [RedactionPattern: Int64] = [:]
  /// Members of JSON, headers and parameters, in small letters.
  var fields: [[UInt8]: Int64] = [:]

  var isEmpty: Bool { patterns.isEmpty && fields.isEmpty }

  /// Of a field's name, in bytes.
  static let longestField = 64
  static let replacement = "[redacted]"

  /// By these an event is put where it belongs, or told from others: no rule for a field takes them.
  static let structural: Set<String> = identifiers.union([
    "context", "level", "state", "method", "type", "name",
  ]).subtracting(["session", "oflaunch"])

  /// Of these, what looks like an identifier stays, in an event and its context, although it may look like a card as well. What
  /// somebody gave a name to (`name`, `state`, …) does not.
  static let identifiers: Set<String> = [
    "eventtype", "timestamp", "sessionid", "session", "replayid", "contextid", "launchid", "oflaunch", "traceid",
    "spanid", "parentspanid", "bundleid", "sequence", "durationms", "statuscode",
  ]

  mutating func add(_ rule: RedactionRule) {
    switch rule.what {
    case .pattern(let pattern): patterns[pattern] = rule.id
    case .field(let name): fields[name.utf8.map(PatternFinder.lower)] = rule.id
    }
  }
}

/// One rule of a project, or of all.
struct RedactionRule: Sendable, Equatable {
  enum What: Sendable, Equatable {
    case pattern(RedactionPattern)
    case field(String)

    var kind: String { if case .pattern = self { "pattern" } else { "field" } }
    var value: String {
      switch self {
      case .pattern(let pattern): pattern.rawValue
      case .field(let name): name
      }
    }

    init?(kind: String, value: String) {
      switch kind {
      case "pattern":
        guard let pattern = RedactionPattern(rawValue: value) else { return nil }
        self = .pattern(pattern)
      case "field": self = .field(value)
      default: return nil
      }
    }

    /// - Throws: ``APIError`` that says what can be asked for.
    init(checking body: JSONTree) throws {
      switch (body["pattern"]?.string, body["field"]?.string) {
      case (let name?, nil):
        guard let pattern = RedactionPattern(rawValue: name) else {
          let all = RedactionPattern.allCases.map(\.rawValue).joined(separator: ", ")
          throw APIError.badRequest("invalid_pattern", "pattern must be one of \(all)")
        }
        self = .pattern(pattern)
      case (nil, let name?):
        guard (1...RedactionRules.longestField).contains(name.utf8.count),
          name.utf8.allSatisfy({ PatternFinder.isLetterOrDigit($0) || "-_.".utf8.contains($0) })
        else {
          throw APIError.badRequest(
            "invalid_field",
            "field must have 1 to \(RedactionRules.longestField) letters, digits, hyphens, dots and underscores")
        }
        guard !RedactionRules.structural.contains(name.lowercased()) else {
          throw APIError.badRequest(
            "invalid_field", "\(name) is what events are put in their place by: it cannot be taken out")
        }
        self = .field(name)
      default: throw APIError.badRequest("invalid_rule", "name a pattern or a field")
      }
    }
  }

  var id: Int64
  /// The bundle id of a project; nil: of all.
  var project: String?
  var what: What
  var createdAt: Int64
  var createdBy: String
  /// How often it took something out.
  var redacted: Int64
}

/// How often each rule took something out, by its number.
typealias RedactionCounts = [Int64: Int64]
