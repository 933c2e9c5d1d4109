import AutoMobileTLS
import Foundation
import NIOCore
import NIOHTTP1

@testable import AutoMobileClickHouse

/// The address of ClickHouse, and what comes from there: rows, and what it says when it cannot.
enum ClickHouseFuzz {
  // MARK: Rows

  private enum Cell: Equatable {
    case number(UInt64), halves(UInt64, UInt64), text([UInt8]), list([Cell]), nothing

    /// Of what is kept, in the unit in which an answer is long.
    var size: Int {
      switch self {
      case .number, .nothing: 1
      case .halves: 2
      case .text(let bytes): 1 + bytes.count
      case .list(let cells): cells.reduce(1) { $0 + $1.size }
      }
    }
  }

  /// The first byte says how many columns there are, the next ones of which types; the rest is an answer.
  static func rows(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    guard let first = bytes.first else { return }
    let types = bytes.dropFirst().prefix(1 + Int(first % 8)).map { $0 % 12 }
    guard !types.isEmpty else { return }
    let body = ByteBuffer(bytes: bytes.dropFirst(1 + types.count))
    do {
      let rows = try Self.rows(of: types, in: body)
      let size = rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1.size } }
      // A byte that is no UTF-8 becomes one of three.
      expect(size <= 3 * body.readableBytes, "an answer makes nobody keep more than itself")
      var writer = RowBinaryWriter()
      for row in rows {
        for (cell, type) in zip(row, types) { put(cell, as: type, into: &writer) }
      }
      let again = try? Self.rows(of: types, in: writer.buffer)
      expect(again == rows, "rows are read as they are written")
    } catch let error as RowBinaryError {
      expect(0...body.readableBytes ~= error.offset, "the offset is in the answer")
    } catch {
      expect(false, "only what is wrong with an answer is thrown, not \(error)")
    }
    var lengths = RowBinaryReader(body)
    while let length = try? lengths.length() {
      expect(length <= body.readableBytes - lengths.offset, "no length is believed beyond what is there")
    }
  }

  private static func rows(of types: [UInt8], in body: ByteBuffer) throws -> [[Cell]] {
    var reader = RowBinaryReader(body)
    return try reader.rows { reader in
      var row: [Cell] = []
      for type in types { row.append(try cell(of: type, from: &reader)) }
      return row
    }
  }

  private static func cell(of type: UInt8, from reader: inout RowBinaryReader) throws -> Cell {
    switch type {
    case 0: return .number(UInt64(try reader.int(UInt8.self)))
    case 1: return .number(UInt64(try reader.int(UInt32.self)))
    case 2: return .number(UInt64(bitPattern: try reader.int(Int64.self)))
    case 3: return .number(try reader.bool() ? 1 : 0)
    case 4: return .number(try reader.double().bitPattern)
    case 5: return .number(UInt64(bitPattern: try reader.day()))
    case 6: return .text(Array(try reader.bytes().readableBytesView))
    case 7: return .text(Array(try reader.fixed(4).readableBytesView))
    case 8:
      let (high, low) = try reader.uuid()
      return .halves(high, low)
    case 9: return try reader.nullable { Cell.number(try $0.int(UInt64.self)) } ?? .nothing
    case 10: return .list(try reader.array { Cell.text(Array(try $0.bytes().readableBytesView)) })
    default:
      let pairs = try reader.map()
      return .list(pairs.map { Cell.list([.text(Array($0.key.utf8)), .text(Array($0.value.utf8))]) })
    }
  }

  private static func put(_ cell: Cell, as type: UInt8, into writer: inout RowBinaryWriter) {
    switch (type, cell) {
    case (0, .number(let value)): writer.int(UInt8(truncatingIfNeeded: value))
    case (1, .number(let value)): writer.int(UInt32(truncatingIfNeeded: value))
    case (3, .number(let value)): writer.bool(value == 1)
    case (4, .number(let value)): writer.double(Double(bitPattern: value))
    case (5, .number(let value)): writer.day(Int64(bitPattern: value))
    case (9, .number(let value)): writer.nullable(value)
    case (9, _): writer.nullable(nil as UInt64?)
    case (7, .text(let bytes)): bytes.withUnsafeBytes { writer.fixed($0, length: 4) }
    case (11, .list(let pairs)):
      writer.length(pairs.count)
      for case .list(let pair) in pairs {
        for text in pair { put(text, as: 6, into: &writer) }
      }
    case (_, .number(let value)): writer.int(value)
    case (_, .halves(let high, let low)): writer.uuid(high, low)
    case (_, .text(let bytes)): writer.string(bytes)
    case (_, .list(let cells)): writer.array(cells) { put($1, as: 6, into: &$0) }
    case (_, .nothing): break
    }
  }

  // MARK: Exceptions

  /// An answer that ends with an exception, or is one.
  static func exception(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    let body = ByteBuffer(bytes: bytes)
    expect(AnswerTail.exception(in: body, [:], isSuspicious: false) == nil, "rows that look like one are rows")
    var found = [ServerException(text[...]), AnswerTail.exception(in: body, [:], isSuspicious: true)]
    for header in [("X-ClickHouse-Exception-Code", "395"), ("X-ClickHouse-Exception-Tag", "dngjzjnxkvlwkeua")] {
      found.append(AnswerTail.exception(in: body, HTTPHeaders([header]), isSuspicious: false))
    }
    expect(found[2]?.code == 395, "what a header says is not lost")
    for exception in found.compactMap({ $0 }) {
      let message = exception.message
      expect(exception.code >= 0, "a code is made of digits")
      expect(message.utf8.count <= 4 * ServerException.longestMessage, "a message is bounded")
      expect(!message.unicodeScalars.contains { $0.properties.generalCategory == .control }, "it is on one line")
      // What ends a message is cut off once, and one may stand before another.
      let hasEnding = [", e.what() = ", " (version "].contains { message.place(of: $0) != nil }
      guard !hasEnding, message.utf8.first ?? 0 < 0x80 else { continue }
      let again = ServerException("Code: \(exception.code). DB::Exception: \(message)"[...])
      expect(again == exception, "an exception is read as it is written")
    }
  }

  // MARK: The address

  static func address(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    do {
      let address = try ClickHouseAddress(String(decoding: bytes, as: UTF8.self))
      expect(!address.hosts.isEmpty && Set(address.hosts).count == address.hosts.count, "each host is named once")
      for host in address.hosts {
        expect(1...65535 ~= host.port, "a port is one")
        expect(host.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a host's name has one spelling")
      }
      expect((address.user + address.password).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "they go into headers")
      let again = try? ClickHouseAddress(written(address))
      expect(again == address, "an address is read as it is written")
      var other = address
      other.password += "another"
      let shown = [String(describing: address), String(reflecting: address)]
      expect(shown == [String(describing: other), String(reflecting: other)], "nothing shows the password")
    } catch let error as ClickHouseError {
      expect(error.kind == .address && error.host == nil, "it is said that the address is wrong")
      // These words are all ours: what is in the address may be secret.
      expect(error.message.utf8.count < 250, "what is said is short")
    } catch {
      expect(false, "only errors of ours are thrown, not \(error)")
    }
  }

  /// With everything encoded that may be.
  private static func written(_ address: ClickHouseAddress) -> String {
    func encoded(_ text: String) -> String {
      text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    var text = "clickhouse\(address.isSecure ? "+https" : "")://\(encoded(address.user)):\(encoded(address.password))@"
    text += address.hosts.map(\.description).joined(separator: ",") + "/" + encoded(address.database.text)
    text += "?timeout=\(address.timeout.components.seconds)&compression=\(address.isCompressed ? "gzip" : "none")"
    if let cluster = address.cluster { text += "&cluster=\(encoded(cluster.text))" }
    for option in TLSFiles.Option.allCases {
      if let path = address.tls[option] { text += "&\(option.rawValue)=\(encoded(path))" }
    }
    return text
  }
}
