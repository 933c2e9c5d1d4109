import AutoMobileJournal
import CAutoMobileZlib
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

@Suite struct BodyCompressionTests {
  @Test(arguments: [BodyCompression.gzip, .deflate], [100, 5000, 300_000])
  func `what is compressed is the same after decompression`(compression: BodyCompression, count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 / 7) &* 31) & 15 }
    let compressed = try #require(bytes.withUnsafeBytes { compression.compress($0) })
    #expect(compressed.count < bytes.count)
    #expect(plain(compressed, coding: compression.rawValue) == bytes)
  }

  @Test(arguments: [BodyCompression.gzip, .deflate])
  func `what does not get shorter is not compressed`(compression: BodyCompression) {
    var random = SeededRandom(1)
    let noise = (0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    #expect(noise.withUnsafeBytes { compression.compress($0) } == nil)
    #expect([UInt8](repeating: 1, count: 3).withUnsafeBytes { compression.compress($0) } == nil)
    #expect([UInt8]().withUnsafeBytes { compression.compress($0) } == nil)
  }

  @Test func `the dictionary's name is its checksum, and it fits the window`() {
    let text = BatchDictionary.text
    let checksum = adler32(1, text.utf8Start, UInt32(text.utf8CodeUnitCount))
    #expect(String(format: "%08x", UInt32(checksum)) == BatchDictionary.name)
    #expect(text.utf8CodeUnitCount <= 8192 && text.isASCII)
  }

  @Test func `a body names the dictionary that it needs, and nobody reads it with another`() throws {
    let body = Array(#"{"eventType":"log","timestamp":1,"level":2,"tag":"shop","message":"open"}"#.utf8)
    let compressed = try #require(body.withUnsafeBytes { BodyCompression.deflate.compress($0) })
    // RFC 1950: two bytes of head, of which one bit says that a dictionary follows, and its name.
    #expect(compressed[1] & 0x20 != 0)
    #expect(compressed[2..<6].map { String(format: "%02x", $0) }.joined() == BatchDictionary.name)
    var other = compressed
    other[5] ^= 1
    #expect(inflate(other) == nil)
    #expect(gunzip(compressed) == nil)
  }

  @Test func `the types of events that are sent most are in the dictionary as they are encoded`() {
    let text = BatchDictionary.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    for type in ["log", "network_request", "interaction", "navigation", "custom", "lifecycle", "session_summary"] {
      #expect(text.contains("{\"eventType\":\"\(type)\",\"timestamp\":"))
    }
  }
}
