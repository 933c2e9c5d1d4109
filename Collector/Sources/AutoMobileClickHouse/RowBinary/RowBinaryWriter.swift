import NIOCore

/// Writes rows in ClickHouse's format RowBinary: the columns one after the other, without names, nothing between rows. What is
/// written goes into one buffer; no column has an allocation of its own.
package struct RowBinaryWriter: Sendable {
  package private(set) var buffer: ByteBuffer

  package init(capacity: Int = 0) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

  package var count: Int { buffer.readableBytes }

  /// Any of ClickHouse's whole numbers, by its width. Also DateTime64, which is an Int64 of ticks, and DateTime, a UInt32.
  package mutating func int(_ value: some FixedWidthInteger) { buffer.writeInteger(value, endianness: .little) }

  package mutating func bool(_ value: Bool) { buffer.writeInteger(value ? 1 : 0, as: UInt8.self) }

  package mutating func double(_ value: Double) { buffer.writeInteger(value.bitPattern, endianness: .little) }

  /// A Date: days since 1970. What is before or behind the type's range becomes its end.
  package mutating func day(_ days: Int64) { int(UInt16(clamping: days)) }

  /// How many follow: seven bits a byte, the least first.
  package mutating func length(_ value: Int) {
    var rest = UInt64(clamping: value)
    while rest >= 0x80 {
      buffer.writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    buffer.writeInteger(UInt8(rest))
  }

  /// A String; also a LowCardinality(String), which is written the same.
  package mutating func string(_ bytes: UnsafeRawBufferPointer) {
    length(bytes.count)
    buffer.writeBytes(bytes)
  }

  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  package mutating func string(_ bytes: [UInt8]) { bytes.withUnsafeBytes { string($0) } }

  /// A FixedString: bytes behind the `length` are left out, and missing ones are 0, as ClickHouse fills them.
  package mutating func fixed(_ bytes: UnsafeRawBufferPointer, length: Int) {
    buffer.writeBytes(bytes.prefix(length))
    buffer.writeRepeatingByte(0, count: max(0, length - bytes.count))
  }

  /// A UUID of 16 bytes in the order in which they are printed: ClickHouse has its halves as two numbers.
  package mutating func uuid(_ high: UInt64, _ low: UInt64) {
    int(high)
    int(low)
  }

  package mutating func nullable<Value>(_ value: Value?, _ write: (inout RowBinaryWriter, Value) -> Void) {
    guard let value else { return int(1 as UInt8) }
    int(0 as UInt8)
    write(&self, value)
  }

  package mutating func nullable(_ value: (some FixedWidthInteger)?) { nullable(value) { $0.int($1) } }
  package mutating func nullable(_ value: String?) { nullable(value) { $0.string($1) } }

  package mutating func array<Element>(_ elements: [Element], _ write: (inout RowBinaryWriter, Element) -> Void) {
    length(elements.count)
    for element in elements { write(&self, element) }
  }

  package mutating func map(_ pairs: [(key: String, value: String)]) {
    length(pairs.count)
    for pair in pairs {
      string(pair.key)
      string(pair.value)
    }
  }

  package mutating func append(_ other: ByteBuffer) { buffer.writeImmutableBuffer(other) }

  /// Takes back what was written behind `count`.
  mutating func cut(to count: Int) { buffer.moveWriterIndex(to: buffer.readerIndex + min(count, self.count)) }
}
