import Foundation

/// The names and values of a query, or of a body that is `application/x-www-form-urlencoded`.
public enum FormFields {
  /// In their order, decoded. What is no UTF-8 after decoding stays as it is.
  public static func parse(_ text: some StringProtocol) -> [(name: String, value: String)] {
    Array(text.utf8).split(separator: UInt8(ascii: "&")).map { field in
      let sides = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(sides[0]), sides.count > 1 ? decoded(sides[1]) : "")
    }
  }

  /// The query of a URL, decoded. Also of what is no URL by the standard.
  public static func query(of url: String) -> [(name: String, value: String)] {
    let beforeFragment = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return parse(String(decoding: beforeFragment[mark...].dropFirst(), as: UTF8.self))
  }

  private static func decoded(_ field: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(field.count)
    var rest = field
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
        let low = rest.dropFirst().first.flatMap(digit)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(bytes: bytes, encoding: .utf8) ?? String(decoding: field, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte & 15
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"): (byte & 15) &+ 9
    default: nil
    }
  }
}
