import AutoMobileJournal
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
