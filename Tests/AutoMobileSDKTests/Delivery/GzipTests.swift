import CAutoMobileZlib
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

@Suite struct GzipTests {
  @Test(arguments: [100, 5000, 300_000]) func `what is compressed is the same after decompression`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 / 7) &* 31) & 15 }
    let compressed = try #require(bytes.withUnsafeBytes { Gzip.compress($0) })
    #expect(compressed.count < bytes.count)
    #expect(gunzip(compressed) == bytes)
  }

  @Test func `what does not get shorter is not compressed`() {
    var random = SeededRandom(1)
    let noise = (0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    #expect(noise.withUnsafeBytes { Gzip.compress($0) } == nil)
    #expect([UInt8](repeating: 1, count: 3).withUnsafeBytes { Gzip.compress($0) } == nil)
    #expect([UInt8]().withUnsafeBytes { Gzip.compress($0) } == nil)
  }
}
