import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Frames of the log` {
  private let body = Array("header\nrecords".utf8)

  private func read(_ bytes: [UInt8]) throws -> (owner: DataOwner?, number: Int64?, body: [UInt8]) {
    try bytes.withUnsafeBytes { bytes in
      let frame = try #require(LogFrame(header: bytes))
      let header = UnsafeRawBufferPointer(rebasing: bytes[..<LogFrame.headerSize])
      let contents = UnsafeRawBufferPointer(
        rebasing: bytes[LogFrame.headerSize..<LogFrame.headerSize + frame.length])
      try #require(frame.matches(header: header, contents: contents))
      let (owner, number, body) = frame.split(contents)
      return (owner, number, Array(body))
    }
  }

  private func frame(_ number: Int64) -> [UInt8] {
    var head = body.withUnsafeBytes {
      LogFrame.Head(receivedAt: 7, events: 2, owner: .app("a.b"), body: $0, isNumbered: true)
    }
    head.number(number)
    return head.bytes + body
  }

  @Test func `A frame says whose it is, its number and its body`() throws {
    let (owner, number, read) = try read(frame(1 << 52))
    #expect(owner == .app("a.b"))
    #expect(number == 1 << 52)
    #expect(read == body)
  }

  @Test func `A frame of an older collector is read`() throws {
    // "AML2": no number, the checksum over everything from 8 on.
    var old = Array("AML2".utf8) + [0, 0, 0, 0] + withUnsafeBytes(of: Int64(7).littleEndian) { Array($0) }
    let owner = Array("app a.b".utf8)
    old += withUnsafeBytes(of: UInt32(2 + owner.count + body.count).littleEndian) { Array($0) } + [2, 0, 0, 0]
    old += [UInt8(owner.count), 0] + owner + body
    let checksum = old[8...].withUnsafeBytes { CRC32C.checksum(of: $0) }
    old.replaceSubrange(4..<8, with: withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
    let (read, number, contents) = try read(old)
    #expect(read == .app("a.b"))
    #expect(number == nil)
    #expect(contents == body)
    // And is what one writes that gives no numbers: whoever goes back to the older one finds what it knows.
    let head = body.withUnsafeBytes {
      LogFrame.Head(receivedAt: 7, events: 2, owner: .app("a.b"), body: $0, isNumbered: false)
    }
    #expect(head.bytes + body == old)
  }

  @Test func `A frame of which one bit is another is none`() throws {
    let whole = frame(5)
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit / 8] ^= 1 << (bit % 8)
      let isRead = bytes.withUnsafeBytes { bytes -> Bool in
        guard let frame = LogFrame(header: bytes), LogFrame.headerSize + frame.length <= bytes.count else {
          return false
        }
        return frame.matches(
          header: UnsafeRawBufferPointer(rebasing: bytes[..<LogFrame.headerSize]),
          contents: UnsafeRawBufferPointer(rebasing: bytes[LogFrame.headerSize..<LogFrame.headerSize + frame.length]))
      }
      #expect(!isRead, "bit \(bit)")
    }
  }
}
