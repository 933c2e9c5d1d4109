/// A column of a table.
package struct TableColumn: Sendable {
  package enum Kind: Sendable {
    /// A text; in the current form one that is kept by number, when there are few of them.
    case text, name
    case optionalText
    case int, optionalInt
    case unsigned, byte, day
    case optionalDouble
    case texts, ints
    /// A Map, or where there is none its keys and its values.
    case map
  }

  package var name: SQLName
  package var kind: Kind
  /// Compresses better, since neighbours are alike.
  var isGrowing = false

  init(_ name: StaticString, _ kind: Kind, isGrowing: Bool = false) {
    self.name = SQLName(trusted: name.description)
    self.kind = kind
    self.isGrowing = isGrowing
  }

  /// The columns that a table has for it.
  func names(_ dialect: Dialect) -> [String] {
    guard case .map = kind, dialect == .plain else { return [name.quoted] }
    return ["`\(name)_keys`", "`\(name)_values`"]
  }

  func definitions(_ dialect: Dialect) -> [String] {
    if case .map = kind, dialect == .plain { return names(dialect).map { "\($0) Array(String)" } }
    var codec = ""
    if dialect == .current {
      switch kind {
      case .int where isGrowing, .unsigned where isGrowing: codec = " CODEC(Delta, ZSTD(1))"
      case .text, .optionalText: codec = " CODEC(ZSTD(1))"
      default: break
      }
    }
    return ["\(name.quoted) \(type(dialect))\(codec)"]
  }

  private func type(_ dialect: Dialect) -> String {
    switch kind {
    case .text: "String"
    case .name: dialect == .current ? "LowCardinality(String)" : "String"
    case .optionalText: "Nullable(String)"
    case .int: "Int64"
    case .optionalInt: "Nullable(Int64)"
    case .unsigned: "UInt64"
    case .byte: "UInt8"
    case .day: "Date"
    case .optionalDouble: "Nullable(Float64)"
    case .texts: "Array(String)"
    case .ints: "Array(Int64)"
    case .map: "Map(LowCardinality(String), String)"
    }
  }
}

extension RowBinaryWriter {
  /// Of a column of the kind ``TableColumn/Kind/map``.
  package mutating func map(_ pairs: [(key: String, value: String)], _ dialect: Dialect) {
    guard dialect == .plain else { return map(pairs) }
    array(pairs) { $0.string($1.key) }
    array(pairs) { $0.string($1.value) }
  }
}
