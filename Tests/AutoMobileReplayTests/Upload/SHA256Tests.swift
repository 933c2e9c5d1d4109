import Foundation
import Testing

@testable import AutoMobileReplay

struct SHA256Tests {
  /// Those of FIPS 180-4, and lengths around a block's.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the digest is that of the standard`(text: String, digest: String) { #expect(SHA256.hex(text) == digest) }

  @Test func `a million letters have their digest`() {
    let million = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(SHA256.hex(million) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(arguments: [0, 1, 65_534, 65_535, 65_536, 200_000])
  func `what compression makes no shorter is gzip all the same`(count: Int) throws {
    let content = Data((0..<count).map { _ in UInt8.random(in: 0...255) })
    let body = try #require(SegmentUpload.gzip(content))
    #expect(gunzip(body) == content)
  }
}
