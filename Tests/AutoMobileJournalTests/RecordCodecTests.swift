import AutoMobileJournal
import CAutoMobile
import Testing

@Suite struct RecordCodecTests {
  @Test func `a record that was appended is parsed again`() {
    let codec = RecordCodec(launch: LaunchID())
    var bytes: [UInt8] = []
    Array("hello".utf8).withUnsafeBytes { payload in
      _ = codec.append(kind: .event, position: 48, payload: payload, to: &bytes)
    }
    #expect(bytes.count == 24)
    bytes.withUnsafeBytes { buffer in
      #expect(
        codec.parse(buffer, at: 0, expecting: 48) == .record(kind: .event, position: 48, payload: 16..<21, next: 24))
      #expect(RecordCodec(launch: LaunchID()).parse(buffer, at: 0) == .damaged("checksum"))
    }
  }
}

@Suite(.serialized) struct ChecksumTests {
  @Test func `the checksum is that of RFC 3720, in hardware and without`() {
    let check = Array("123456789".utf8)
    check.withUnsafeBytes { bytes in
      #expect(am_crc32c(0, bytes.baseAddress, bytes.count) == 0xE306_9283)
      #expect(am_crc32c_portable(0, bytes.baseAddress, bytes.count) == 0xE306_9283)
    }
    expectEveryLengthAsPortable()
  }

  @Test func `a processor without the instruction has the same checksums`() {
    // A8 and A9 have none; they run iOS 15.
    #expect(am_crc32c_pretend_absent(true))
    defer { _ = am_crc32c_pretend_absent(false) }
    expectEveryLengthAsPortable()
  }

  private func expectEveryLengthAsPortable() {
    // Beyond 784 bytes the table of shifts begins anew.
    for length in Array(0..<900) + [1600, 4099] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255) }
      let (seed, position, word) = (UInt32.random(in: 0 ... .max), UInt64(length), UInt64(77))
      let head = withUnsafeBytes(of: (position, word)) { am_crc32c_portable(seed, $0.baseAddress, $0.count) }
      bytes.withUnsafeBytes { raw in
        let expected = am_crc32c_portable(head, raw.baseAddress, raw.count)
        #expect(am_crc32c(head, raw.baseAddress, raw.count) == expected, "length \(length)")
        #expect(am_crc32c_record(seed, position, word, raw.baseAddress, raw.count) == expected, "length \(length)")
      }
    }
  }
}
