import NIOCore
import Testing

@testable import automobile

@Suite struct `Events in a trace, counted as it comes` {
  private static let trace = """
    {"otherData":{"app":"{\\"cat\\":"},"traceEvents":[
    {"ph":"M","name":"process_name"}
    ,{"cat":"log","ph":"i","name":"a"}
    ,{"ph":"C","name":"{\\"cat\\":"}
    ,{"cat":"network_request","ph":"b"}
    ,{"ph":"e","cat":"network_request"}
    ]}

    """

  @Test func `however it is cut into pieces, each event counts once, and the end is seen`() {
    let bytes = Array(Self.trace.utf8)
    for size in 1...bytes.count {
      var count = TraceCount()
      for start in stride(from: 0, to: bytes.count, by: size) {
        #expect(!count.isWhole || start > bytes.count - 4)
        count.add(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(count.events == 2)
      #expect(count.isWhole)
    }
  }

  @Test func `what breaks off is not whole`() {
    var count = TraceCount()
    count.add(ByteBuffer(string: String(Self.trace.dropLast(4))))
    #expect(count.events == 2)
    #expect(!count.isWhole)
  }
}
