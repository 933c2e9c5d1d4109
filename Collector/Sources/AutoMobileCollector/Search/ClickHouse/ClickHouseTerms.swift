import AutoMobileClickHouse

/// Conditions on ClickHouse's columns that mean what ``SearchCondition`` means to SQLite. What somebody typed is a value, never text.
enum ClickHouseTerms {
  static let never: SQL = "0"

  static func any(_ parts: [SQL]) -> SQL { joined(parts, " OR ") ?? never }
  static func all(_ parts: [SQL]) -> SQL { joined(parts, " AND ") ?? "1" }

  private static func joined(_ parts: [SQL], _ word: StaticString) -> SQL? {
    parts.count > 1 ? "(\(SQL.joined(parts.map { "(\($0))" }, word)))" : parts.first
  }

  /// Also of what is not known.
  static func negated(_ condition: SQL, if isNegated: Bool = true) -> SQL {
    isNegated ? "NOT ifNull(\(condition), 0)" : condition
  }

  /// One of these: a set, in which each row is looked up once, however many they are. (`has` of an array would go through all of them.)
  static func among(_ column: SQL, _ numbers: some Sequence<Int64>) -> SQL {
    "\(column) IN (SELECT arrayJoin(\(SQLValue.ints(Set(numbers).sorted()))))"
  }

  // MARK: Texts

  /// A name, found by its beginning or by the beginning of one of its parts; in quotes, by all of it.
  static func name(_ column: SQL, _ value: SearchValue, after separators: String = " .@-_/:=") -> SQL {
    guard case .text(let text, let isExact) = value else { return never }
    if isExact { return "lower(\(column)) = \(text: lowercased(text))" }
    if text.contains("*") { return glob(column, text) }
    let like = escaped(text)
    let patterns = ["\(like)%"] + separators.map { "%\(escaped(String($0)))\(like)%" }
    return any(patterns.map { self.like(column, $0) })
  }

  /// A version: 2.1 is the beginning of 2.1.4 and of 2.1 (17), and not of 2.10.
  static func version(_ column: SQL, _ value: SearchValue) -> SQL {
    guard case .text(let text, let isExact) = value else { return never }
    if isExact || text.contains("*") { return name(column, value) }
    let begins = like(column, "\(escaped(text))%")
    guard text.last?.isNumber == true else { return begins }
    // ClickHouse counts bytes.
    let next: SQL = "substring(\(column), \(Int64(text.utf8.count + 1)), 1)"
    return all([begins, "\(next) < '0' OR \(next) > '9'"])
  }

  /// Any part of a text.
  static func part(_ column: SQL, _ value: SearchValue) -> SQL {
    guard case .text(let text, _) = value else { return never }
    return part(column, text)
  }

  static func part(_ column: SQL, _ text: String) -> SQL {
    text.isEmpty ? "isNotNull(\(column))" : "positionCaseInsensitive(\(column), \(text: text)) > 0"
  }

  /// The asterisk stands for anything.
  static func glob(_ column: SQL, _ pattern: String) -> SQL {
    like(
      column,
      pattern.split(separator: "*", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "%")
    )
  }

  /// The same with the question mark for one character, and with letters as they are written.
  static func exactGlob(_ column: SQL, _ pattern: String) -> SQL {
    var like = ""
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "*": like += "%"
      case "?": like += "_"
      default: like += escaped(String(scalar))
      }
    }
    return "\(column) LIKE \(text: like)"
  }

  private static func like(_ column: SQL, _ pattern: String) -> SQL {
    "lower(\(column)) LIKE \(text: lowercased(pattern))"
  }

  private static func escaped(_ text: String) -> String { SearchCondition.escaped(text) }

  /// Of ASCII, as ClickHouse's own.
  private static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  // MARK: Numbers

  /// - Parameter factor: how many of the column's units one of the value's is.
  static func number(_ column: SQL, _ value: SearchValue, factor: Double = 1) -> SQL {
    guard case .compared(let comparison, let number) = value else { return never }
    let wanted: SQL = "\(number * factor)"
    return switch comparison {
    case .atMost: "\(column) <= \(wanted)"
    case .atLeast: "\(column) >= \(wanted)"
    case .less: "\(column) < \(wanted)"
    case .more: "\(column) > \(wanted)"
    case .equal: "\(column) = \(wanted)"
    }
  }

  /// - Parameter unfinished: of a request that the process did not live to see the end of.
  static func status(_ column: SQL, _ value: SearchValue, unfinished: SQL) -> SQL {
    switch value {
    case .compared: return number(column, value)
    case .text(let text, _):
      switch SearchStatus(text) {
      case .codes(let codes): return between(column, codes)
      case .some(.none): return "isNull(\(column))"
      case .unfinished: return unfinished
      case nil: return never
      }
    }
  }

  static func between(_ column: SQL, _ numbers: ClosedRange<Int64>) -> SQL {
    "\(column) >= \(numbers.lowerBound) AND \(column) <= \(numbers.upperBound)"
  }

  // MARK: Words of events

  /// That an event has these words (``WordColumn``): each as the beginning of a word there, and as a whole one where it is short or a
  /// status. What SQLite's full text index says of them; nil when there is no letter or digit to look for.
  static func words(_ pattern: SearchPattern, _ dialect: Dialect, column: SQL = "words") -> SQL? {
    let words = pattern.words.map { (said: $0, folded: WordColumn.folded($0)) }.filter { !$0.folded.isEmpty }
    guard !words.isEmpty else { return nil }
    return all(
      words.map { word in
        let isWhole = SearchPattern.isShort(word.said) || SearchPattern.isStatus(word.said) || pattern.isWholeWords
        guard isWhole else { return "position(\(column), \(text: " " + word.folded)) > 0" }
        let found: SQL = "position(\(column), \(text: " " + word.folded + " ")) > 0"
        // The index of the column knows whole words only, and of these such as it takes for one.
        let isToken = word.folded.utf8.allSatisfy {
          $0 >= 0x80 || ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x7A)
        }
        return dialect == .current && isToken ? "hasToken(\(column), \(text: word.folded)) AND \(found)" : found
      })
  }
}
