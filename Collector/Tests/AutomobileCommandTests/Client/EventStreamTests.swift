import Testing

@testable import automobile

@Suite struct `Server-sent events` {
  private static let stream = """
    : a heartbeat

    id: 7
    event: sdk-event
    data: {"a":1}

    id:8
    data: first
    data:  second
    unknown: field

    id: 9
    event: sdk-event

    data: after an empty one
    \n
    """

  private static let messages: [EventStream.Message] = [
    .init(id: "7", event: "sdk-event", data: #"{"a":1}"#), .init(id: "8", data: "first\n second"),
    .init(data: "after an empty one"),
  ]

  @Test(arguments: [1, 2, 3, 7, 64, 4096])
  func `messages are the same in whatever pieces they arrive`(size: Int) {
    for text in [Self.stream, Self.stream.replacing("\n", with: "\r\n")] {
      var stream = EventStream()
      var received: [EventStream.Message] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        received += stream.feed(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(received == Self.messages)
    }
  }
}
