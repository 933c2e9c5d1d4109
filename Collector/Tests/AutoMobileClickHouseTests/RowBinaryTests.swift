import NIOCore
import Testing

@testable import AutoMobileClickHouse

@Suite struct RowBinaryTests {
  private static func everything() -> RowBinaryWriter {
    var writer = RowBinaryWriter()
    writer.int(Int8.min)
    writer.int(UInt64.max)
    writer.int(Int64.min)
    writer.bool(true)
    writer.double(-0.5)
    writer.day(20_000)
    for length in [0, 127, 128, 300] { writer.string([UInt8](repeating: 0xFF, count: length)) }
    writer.string("🧨\0é")
    [1, 2, 3].withUnsafeBytes { writer.fixed($0, length: 30) }
    writer.uuid(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF)
    writer.nullable(nil as Int64?)
    writer.nullable(-1 as Int64?)
    writer.nullable("text")
    writer.array([1, 2, 3] as [Int16]) { $0.int($1) }
    writer.map([("a", "1"), ("", "2")])
    writer.array([["x"], []]) { $0.array($1) { $0.string($1) } }
    return writer
  }

  private static func read(_ reader: inout RowBinaryReader) throws {
    expectEqual(try reader.int(Int8.self), .min)
    expectEqual(try reader.int(UInt64.self), .max)
    expectEqual(try reader.int(Int64.self), .min)
    expectEqual(try reader.bool(), true)
    expectEqual(try reader.double(), -0.5)
    expectEqual(try reader.day(), 20_000)
    for length in [0, 127, 128, 300] { expectEqual(try reader.bytes().readableBytes, length) }
    expectEqual(try reader.string(), "🧨\0é")
    expectEqual(try reader.fixed(30).readableBytes, 30)
    let uuid = try reader.uuid()
    expectEqual([uuid.high, uuid.low], [0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF])
    expectEqual(try reader.nullable { try $0.int(Int64.self) }, nil)
    expectEqual(try reader.nullable { try $0.int(Int64.self) }, -1)
    expectEqual(try reader.nullable { try $0.string() }, "text")
    expectEqual(try reader.array { try $0.int(Int16.self) }, [1, 2, 3])
    expectEqual(try reader.map().map { "\($0.key)=\($0.value)" }, ["a=1", "=2"])
    expectEqual(try reader.array { try $0.array { try $0.string() } }, [["x"], []])
  }

  @Test func `What is written is read`() throws {
    var reader = RowBinaryReader(Self.everything().buffer)
    try Self.read(&reader)
    #expect(reader.isAtEnd)
  }

  /// Without the expectations of ``read``: what fails here has to throw.
  private static func skim(_ reader: inout RowBinaryReader) throws {
    _ = try (
      reader.int(Int8.self), reader.int(UInt64.self), reader.int(Int64.self), reader.bool(), reader.double(),
      reader.day()
    )
    for _ in 0..<4 { _ = try reader.bytes() }
    _ = try (reader.string(), reader.fixed(30), reader.uuid())
    _ = try reader.nullable { try $0.int(Int64.self) }
    _ = try reader.nullable { try $0.int(Int64.self) }
    _ = try reader.nullable { try $0.string() }
    _ = try (reader.array { try $0.int(Int16.self) }, reader.map(), reader.array { try $0.array { try $0.string() } })
  }

  @Test func `An answer that is cut off anywhere is refused`() throws {
    let whole = Self.everything().buffer
    for length in 0..<whole.readableBytes {
      let part = try #require(whole.getSlice(at: 0, length: length))
      #expect(throws: RowBinaryError.self) {
        var reader = RowBinaryReader(part)
        try Self.skim(&reader)
      }
    }
  }

  @Test func `An answer of any bytes ends in rows or in an error`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      var reader = RowBinaryReader(ByteBuffer(bytes: bytes))
      do { _ = try reader.rows(Self.skim) } catch { #expect(error is RowBinaryError) }
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x80], [0x80, 0x80, 0x80],
      [0xFF, 0xFF, 0xFF, 0x7F], [3, 1, 2],
    ] as [[UInt8]])
  func `A length that is a lie is refused, and nothing is kept for it`(_ bytes: [UInt8]) {
    #expect(throws: RowBinaryError.self) {
      var reader = RowBinaryReader(ByteBuffer(bytes: bytes)); _ = try reader.bytes()
    }
    #expect(throws: RowBinaryError.self) {
      var reader = RowBinaryReader(ByteBuffer(bytes: bytes)); _ = try reader.map()
    }
    #expect(throws: RowBinaryError.self) {
      var reader = RowBinaryReader(ByteBuffer(bytes: bytes))
      _ = try reader.array { try $0.int(Int64.self) }
    }
  }

  @Test func `A row that takes no room is no row`() {
    #expect(throws: RowBinaryError.self) {
      var reader = RowBinaryReader(ByteBuffer(bytes: [1]))
      _ = try reader.rows { _ in 0 }
    }
  }

  @Test func `A truth value is 0 or 1`() {
    #expect(throws: RowBinaryError.self) {
      var reader = RowBinaryReader(ByteBuffer(bytes: [2]))
      _ = try reader.bool()
    }
  }
}
