import NIOCore

/// What in an answer is not RowBinary of the columns that were asked for.
package struct RowBinaryError: Error, Equatable, CustomStringConvertible {
  /// Bytes from the beginning of the answer.
  package var offset: Int
  package var description: String

  init(_ offset: Int, _ what: String) {
    self.offset = offset
    description = "\(what) at byte \(offset) of the answer"
  }
}

/// Reads rows in ClickHouse's format RowBinary. It trusts nothing that it reads: no length is believed beyond what is there, so
/// an answer makes nobody keep more than itself.
package struct RowBinaryReader: Sendable {
  private var buffer: ByteBuffer
  private let end: Int

  package init(_ buffer: ByteBuffer) {
    self.buffer = buffer
    end = buffer.readableBytes
  }

  package var isAtEnd: Bool { buffer.readableBytes == 0 }
  package var offset: Int { end - buffer.readableBytes }

  package mutating func int<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
    guard let value = buffer.readInteger(endianness: .little, as: type) else {
      throw RowBinaryError(offset, "\(type) is cut off")
    }
    return value
  }

  package mutating func bool() throws -> Bool {
    let at = offset
    let value = try int(UInt8.self)
    guard value <= 1 else { throw RowBinaryError(at, "a truth value is \(value)") }
    return value == 1
  }

  package mutating func double() throws -> Double { Double(bitPattern: try int()) }

  /// A Date: days since 1970.
  package mutating func day() throws -> Int64 { Int64(try int(UInt16.self)) }

  /// How many follow: at most as many as there are bytes, since nothing that is asked for here takes less than one.
  package mutating func length() throws -> Int {
    let at = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try int(UInt8.self)
      // The tenth byte has room for one bit.
      guard shift < 63 || byte <= 1 else { throw RowBinaryError(at, "a length has more than 64 bits") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    guard value <= UInt64(buffer.readableBytes) else {
      throw RowBinaryError(at, "a length of \(value) goes beyond the end")
    }
    return Int(value)
  }

  /// A String's bytes, without copying them: they keep the whole answer in memory.
  package mutating func bytes() throws -> ByteBuffer {
    let count = try length()
    guard let slice = buffer.readSlice(length: count) else { throw RowBinaryError(offset, "a text is cut off") }
    return slice
  }

  /// What is no UTF-8 in it becomes U+FFFD.
  package mutating func string() throws -> String {
    let count = try length()
    guard let text = buffer.readString(length: count) else { throw RowBinaryError(offset, "a text is cut off") }
    return text
  }

  package mutating func fixed(_ length: Int) throws -> ByteBuffer {
    guard let slice = buffer.readSlice(length: length) else {
      throw RowBinaryError(offset, "a text of \(length) bytes is cut off")
    }
    return slice
  }

  package mutating func uuid() throws -> (high: UInt64, low: UInt64) { (try int(), try int()) }

  package mutating func nullable<Value>(
    _ read: (inout RowBinaryReader) throws -> Value
  ) throws -> Value? {
    try bool() ? nil : read(&self)
  }

  package mutating func array<Element>(
    _ read: (inout RowBinaryReader) throws -> Element
  ) throws -> [Element] {
    let count = try length()
    var elements: [Element] = []
    // An element is larger here than there: a lie about their number must not be worth that room.
    elements.reserveCapacity(min(count, 1024))
    for _ in 0..<count { elements.append(try read(&self)) }
    return elements
  }

  package mutating func map() throws -> [(key: String, value: String)] {
    try array { (try $0.string(), try $0.string()) }
  }

  /// Reads rows to the end.
  package mutating func rows<Row>(_ read: (inout RowBinaryReader) throws -> Row) throws -> [Row] {
    var rows: [Row] = []
    while !isAtEnd {
      let before = buffer.readableBytes
      rows.append(try read(&self))
      guard buffer.readableBytes < before else { throw RowBinaryError(offset, "a row takes no room") }
    }
    return rows
  }
}
