import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Writes JSON front to back into one buffer; values that are JSON already are copied as they stand.
struct JSONOutput {
  private(set) var buffer = ByteBuffer()
  private var needsComma = false

  mutating func object(_ body: (inout JSONOutput) throws -> Void) rethrows {
    try nested("{", "}", body)
  }

  mutating func array(_ body: (inout JSONOutput) throws -> Void) rethrows {
    try nested("[", "]", body)
  }

  mutating func object(_ name: String, _ body: (inout JSONOutput) throws -> Void) rethrows {
    self.name(name)
    try nested("{", "}", body)
  }

  mutating func array(_ name: String, _ body: (inout JSONOutput) throws -> Void) rethrows {
    self.name(name)
    try nested("[", "]", body)
  }

  mutating func member(_ name: String, _ value: String?) {
    self.name(name)
    if let value { string(value) } else { null() }
  }

  mutating func member(_ name: String, _ value: Int64?) {
    self.name(name)
    if let value { number(value) } else { null() }
  }

  mutating func member(_ name: String, unsigned value: UInt64) {
    self.name(name)
    number(value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    flag(value)
  }

  /// A member whose value is JSON already. Line breaks in it become blanks, so that the whole stays on one line.
  mutating func member(_ name: String, json: UnsafeRawBufferPointer?) {
    self.name(name)
    guard let json, !json.isEmpty else { return null() }
    separate()
    let start = buffer.readableBytes
    buffer.writeBytes(json)
    buffer.withUnsafeMutableReadableBytes { bytes in
      // A line break inside a string is escaped, or the text would not have been accepted.
      for index in start..<bytes.count where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
    }
    needsComma = true
  }

  mutating func member(_ name: String, json: Data?) {
    guard let json else { return member(name, nil as String?) }
    json.withUnsafeBytes { member(name, json: $0) }
  }

  mutating func member(_ name: String, json: ByteBuffer) {
    json.withUnsafeReadableBytes { member(name, json: $0) }
  }

  mutating func member(_ name: String, json: String?) {
    guard var json else { return member(name, nil as String?) }
    json.withUTF8 { member(name, json: UnsafeRawBufferPointer($0)) }
  }

  mutating func number(_ value: Int64) {
    separate()
    buffer.writeString(String(value))
    needsComma = true
  }

  mutating func number(_ value: UInt64) {
    separate()
    buffer.writeString(String(value))
    needsComma = true
  }

  mutating func flag(_ value: Bool) {
    separate()
    buffer.writeString(value ? "true" : "false")
    needsComma = true
  }

  mutating func null() {
    separate()
    buffer.writeString("null")
    needsComma = true
  }

  mutating func string(_ value: String) {
    separate()
    buffer.writeInteger(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { escape(UnsafeRawBufferPointer($0)) }
    buffer.writeInteger(UInt8(ascii: "\""))
    needsComma = true
  }

  /// What needs no escape is written as a whole.
  private mutating func escape(_ bytes: UnsafeRawBufferPointer) {
    var start = 0
    for (index, byte) in bytes.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      buffer.writeBytes(bytes[start..<index])
      start = index + 1
      switch byte {
      case UInt8(ascii: "\""): buffer.writeString("\\\"")
      case UInt8(ascii: "\\"): buffer.writeString("\\\\")
      case 0x0A: buffer.writeString("\\n")
      default:
        let digits = String(byte, radix: 16)
        buffer.writeString("\\u00" + (digits.count < 2 ? "0" : "") + digits)
      }
    }
    buffer.writeBytes(bytes[start...])
  }

  /// A line break between two values, for who reads a long text by lines.
  mutating func lineBreak() { buffer.writeInteger(UInt8(ascii: "\n")) }

  /// What has been written since the last time, to be sent on; the text goes on behind it.
  mutating func take() -> ByteBuffer {
    defer { buffer = ByteBuffer() }
    return buffer
  }

  /// A member's name; its value must follow.
  mutating func name(_ name: String) {
    string(name)
    buffer.writeInteger(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { buffer.writeInteger(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func nested(
    _ opening: StaticString, _ closing: StaticString, _ body: (inout JSONOutput) throws -> Void
  ) rethrows {
    separate()
    buffer.writeStaticString(opening)
    try body(&self)
    buffer.writeStaticString(closing)
    needsComma = true
  }

  /// The answer to what was done as it was asked for.
  static func ok(_ members: (inout JSONOutput) -> Void = { _ in }) -> Response {
    var json = JSONOutput()
    json.object {
      $0.member("ok", true)
      members(&$0)
    }
    return json.response()
  }

  func response(status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: buffer))
  }
}
