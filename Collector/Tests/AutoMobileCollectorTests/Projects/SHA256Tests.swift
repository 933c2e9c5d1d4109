import Testing

@testable import AutoMobileCollector

struct SHA256Tests {
  /// Those of FIPS 180-4.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `the digest is that of the standard`(text: String, digest: String) {
    #expect(SHA256.hex(Array(text.utf8)) == digest)
  }

  @Test func `a million letters have their digest`() {
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(SHA256.hex(million) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Every length around one and two blocks, in two parts that meet anywhere: what is kept for later is no other than the rest.
  @Test func `parts have the digest of the whole`() {
    for length in 0...130 {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let whole = SHA256.hash(message)
      for cut in 0...length {
        var hash = SHA256()
        hash.update(message.prefix(cut))
        _ = hash.digest
        hash.update(message.dropFirst(cut))
        #expect(hash.digest == whole, "\(length) bytes, cut at \(cut)")
      }
    }
  }

  /// Cases 1, 2, 3 and 6 of RFC 4231: a short key, a shorter one, long data, and a key that is longer than a block.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `a code is that of the standard`(key: [UInt8], message: [UInt8], code: String) {
    #expect(SHA256.digits(SHA256.code(message, key: key)) == code)
  }
}
