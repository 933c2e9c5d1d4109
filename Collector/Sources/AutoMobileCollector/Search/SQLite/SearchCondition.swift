import GRDB

/// A part of a WHERE clause, with what is bound to it. What somebody typed is only ever bound.
struct SearchCondition {
  var sql: String
  var arguments: StatementArguments = []

  init(_ sql: String, _ arguments: StatementArguments = []) {
    self.sql = sql
    self.arguments = arguments
  }

  static let never = SearchCondition("0")

  static func any(_ parts: [SearchCondition]) -> SearchCondition { joined(parts, "OR") ?? never }
  static func all(_ parts: [SearchCondition]) -> SearchCondition { joined(parts, "AND") ?? SearchCondition("1") }

  private static func joined(_ parts: [SearchCondition], _ word: String) -> SearchCondition? {
    guard let first = parts.first else { return nil }
    guard parts.count > 1 else { return first }
    return SearchCondition(
      "(" + parts.map(\.sql).joined(separator: " \(word) ") + ")",
      parts.reduce(StatementArguments()) { $0 + $1.arguments })
  }

  /// Also of what is not known.
  var negated: SearchCondition { SearchCondition("NOT IFNULL(\(sql), 0)", arguments) }

  func negated(if isNegated: Bool) -> SearchCondition { isNegated ? negated : self }

  /// Around it, as `before (this) after`.
  func inside(_ before: String, _ after: String = ")", first: StatementArguments = []) -> SearchCondition {
    SearchCondition(before + sql + after, first + arguments)
  }
}

// MARK: Comparing columns

extension SearchCondition {
  /// A name, found by its beginning or by the beginning of one of its parts; in quotes, by all of it.
  ///
  /// - Parameter separators: what stands between parts. Each costs a look at the column.
  static func name(
    _ column: String, _ value: SearchValue, after separators: String = " .@-_/:="
  ) -> SearchCondition {
    guard case .text(let text, let isExact) = value else { return never }
    if isExact { return SearchCondition("\(column) = ? COLLATE NOCASE", [text]) }
    if text.contains("*") { return glob(column, text) }
    let like = escaped(text)
    let patterns = ["\(like)%"] + separators.map { "%\(escaped(String($0)))\(like)%" }
    return SearchCondition(
      "(" + patterns.map { _ in "\(column) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ") + ")",
      StatementArguments(patterns))
  }

  /// A version: 2.1 is the beginning of 2.1.4 and of 2.1 (17), and not of 2.10.
  static func version(_ column: String, _ value: SearchValue) -> SearchCondition {
    guard case .text(let text, let isExact) = value else { return never }
    if isExact || text.contains("*") { return name(column, value) }
    let begins = SearchCondition("\(column) LIKE ? ESCAPE '\\'", ["\(escaped(text))%"])
    guard text.last?.isNumber == true else { return begins }
    return all([
      begins, SearchCondition("substr(\(column), ?, 1) NOT BETWEEN '0' AND '9'", [text.unicodeScalars.count + 1]),
    ])
  }

  /// Any part of a text.
  static func part(_ column: String, _ value: SearchValue) -> SearchCondition {
    guard case .text(let text, _) = value else { return never }
    return part(column, text)
  }

  static func part(_ column: String, _ text: String) -> SearchCondition {
    SearchCondition("\(column) LIKE ? ESCAPE '\\'", ["%\(escaped(text))%"])
  }

  /// The asterisk stands for anything.
  static func glob(_ column: String, _ pattern: String) -> SearchCondition {
    let like = pattern.split(separator: "*", omittingEmptySubsequences: false).map { escaped(String($0)) }
    return SearchCondition("\(column) LIKE ? ESCAPE '\\'", [like.joined(separator: "%")])
  }

  /// - Parameter factor: how many of the column's units one of the value's is.
  static func number(_ column: String, _ value: SearchValue, factor: Double = 1) -> SearchCondition {
    guard case .compared(let comparison, let number) = value else { return never }
    return SearchCondition("\(column) \(comparison.rawValue) ?", [number * factor])
  }

  /// - Parameter unfinished: SQL for a request that the process did not live to see the end of.
  static func status(_ column: String, _ value: SearchValue, unfinished: String) -> SearchCondition {
    switch value {
    case .compared: return number(column, value)
    case .text(let text, _):
      switch SearchStatus(text) {
      case .codes(let codes): return SearchCondition("\(column) BETWEEN ? AND ?", [codes.lowerBound, codes.upperBound])
      case .some(.none): return SearchCondition("\(column) IS NULL")
      case .unfinished: return SearchCondition(unfinished)
      case nil: return never
      }
    }
  }

  static func escaped(_ text: String) -> String {
    // Scalar by scalar: with an accent upon it, a percent sign is another character, and to SQLite still one.
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
