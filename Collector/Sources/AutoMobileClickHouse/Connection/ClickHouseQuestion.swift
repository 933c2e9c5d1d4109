import NIOCore

/// What is sent for one statement: what goes into the address, and the body.
struct ClickHouseQuestion: Sendable {
  let body: ByteBuffer
  private var items: [(name: String, value: String)]

  /// - Parameters:
  ///   - rows: of an insert; the statement stands in the address then.
  init(_ sql: SQL.Rendered, format: String?, rows: ByteBuffer? = nil, settings: [(String, String)]) {
    let text = format.map { "\(sql.text) FORMAT \($0)" } ?? sql.text
    // The server answers when it knows how it ends: then the status says whether it went well.
    items = [("wait_end_of_query", "1")]
    if let rows {
      items.append(("query", text))
      body = rows
    } else {
      body = ByteBuffer(string: text)
      if body.readableBytes > 200_000 { items.append(("max_query_size", "\(body.readableBytes + 1024)")) }
    }
    items += settings.map { (name: $0.0, value: $0.1) }
    items += sql.parameters.map { (name: "param_\($0.name)", value: $0.value) }
  }

  /// Packing it is worth the work.
  var isLarge: Bool { body.readableBytes > 4096 }

  /// The part of the address behind the question mark. The database is not in it: statements name it, so that one that makes it
  /// can be sent.
  func query(_ address: ClickHouseAddress) -> String {
    var items = items
    if address.isCompressed { items.append(("enable_http_compression", "1")) }
    return items.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
  }

  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  static func encoded(_ text: String) -> String {
    var ascii: [UInt8] = []
    ascii.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        ascii.append(byte)
      default: ascii += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: ascii, as: UTF8.self)
  }
}
