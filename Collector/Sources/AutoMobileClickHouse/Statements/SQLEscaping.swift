/// Names and values as ClickHouse's SQL writes them.
enum SQLEscaping {
  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  /// Printable ASCII that means nothing else as it is, the rest as `\xHH`: so neither quotes nor NUL, line ends or bytes that are
  /// no UTF-8 can end what they stand in. The escapes are the same in quoted texts, in names and in values of parameters.
  static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var ascii: [UInt8] = []
    ascii.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes {
      switch byte {
      case 0x20...0x7E where byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "`"):
        ascii.append(byte)
      default:
        ascii.append(UInt8(ascii: "\\"))
        ascii.append(UInt8(ascii: "x"))
        ascii.append(hexadecimal[Int(byte >> 4)])
        ascii.append(hexadecimal[Int(byte & 15)])
      }
    }
    return String(decoding: ascii, as: UTF8.self)
  }

  static func literal(_ bytes: some Sequence<UInt8>) -> String { "'\(escaped(bytes))'" }
}

/// The name of a database, table, column or cluster. It is quoted, always.
package struct SQLName: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package var description: String { text }
  package var quoted: String { "`\(SQLEscaping.escaped(text.utf8))`" }

  /// - Throws: ``ClickHouseError`` when nothing could be called so.
  package init(checking text: String) throws {
    guard !text.isEmpty, text.utf8.count <= 200 else {
      throw ClickHouseError(.statement, "a name has 1 to 200 bytes, this has \(text.utf8.count)")
    }
    self.text = text
  }

  /// Written in this program.
  init(trusted text: String) { self.text = text }
  package init(_ text: StaticString) { self.text = text.description }
}

extension SQLName: ExpressibleByStringLiteral {
  package init(stringLiteral value: StaticString) { self.init(value) }
}
