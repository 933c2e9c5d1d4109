/// A statement, or a part of one: written in this program, with names and values put in. A value never becomes part of the text
/// where the server knows parameters, and where it does not, it becomes an escaped literal in one place (``SQLValue/literal``).
///
///     let sql: SQL = "SELECT payload FROM \(table) WHERE session = \(text: session) AND timestamp >= \(from)"
package struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
  fileprivate enum Piece: Sendable, Hashable {
    case text(String)
    case value(SQLValue)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) { pieces.reserveCapacity(interpolationCount * 2 + 1) }
    package mutating func appendLiteral(_ literal: StaticString) { pieces.append(.text(literal.description)) }
    package mutating func appendInterpolation(_ part: SQL) { pieces += part.pieces }
    package mutating func appendInterpolation(_ name: SQLName) { pieces.append(.text(name.quoted)) }
    package mutating func appendInterpolation(_ value: SQLValue) { pieces.append(.value(value)) }
    package mutating func appendInterpolation(_ value: Int64) { pieces.append(.value(.int(value))) }
    package mutating func appendInterpolation(_ value: UInt64) { pieces.append(.value(.unsigned(value))) }
    package mutating func appendInterpolation(_ value: Double) {
      pieces += [.text("toFloat64("), .value(.string("\(value)")), .text(")")]
    }
    package mutating func appendInterpolation(text: String) { pieces.append(.value(.string(text))) }
    /// How many: `LIMIT` takes no parameter everywhere.
    package mutating func appendInterpolation(count: Int) { pieces.append(.text("\(max(0, count))")) }
  }

  fileprivate var pieces: [Piece]

  package init(stringLiteral value: StaticString) { pieces = [.text(value.description)] }
  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// For what this module writes by itself: definitions of tables, of names that are quoted.
  init(trusted text: String) { pieces = [.text(text)] }

  package static func joined(_ parts: [SQL], _ separator: StaticString) -> SQL {
    var sql = SQL(trusted: "")
    for (index, part) in parts.enumerated() {
      if index > 0 { sql.pieces.append(.text(separator.description)) }
      sql.pieces += part.pieces
    }
    return sql
  }

  /// What is sent.
  package struct Rendered {
    package var text = ""
    /// Names and values of parameters.
    package var parameters: [(name: String, value: String)] = []
  }

  /// Values longer than this together are literals, since an address has a longest length.
  static let longestParameters = 16 << 10

  /// - Parameter parameters: the server knows them.
  package func rendered(parameters: Bool) -> Rendered {
    if parameters {
      let bound = rendered { $0.bound }
      if bound.parameters.reduce(0, { $0 + $1.value.utf8.count }) <= Self.longestParameters { return bound }
    }
    return rendered(nil)
  }

  private func rendered(_ bind: ((SQLValue) -> String)?) -> Rendered {
    var rendered = Rendered()
    for piece in pieces {
      switch piece {
      case .text(let text): rendered.text += text
      case .value(let value):
        if let bind {
          let name = "p\(rendered.parameters.count)"
          rendered.text += "{\(name):\(value.type)}"
          rendered.parameters.append((name, bind(value)))
        } else {
          rendered.text += value.literal
        }
      }
    }
    return rendered
  }
}
