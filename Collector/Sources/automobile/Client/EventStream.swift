/// Takes server-sent events apart, in whatever pieces they arrive.
struct EventStream {
  struct Message: Equatable {
    var id: String?
    var event = "message"
    var data = ""
  }

  /// Longer lines are not ours: no event is that large.
  private static let longestLine = 16 << 20

  private var line: [UInt8] = []
  private var message = Message()

  /// The messages that `bytes` completes.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [Message] {
    var complete: [Message] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if let whole = end() { complete.append(whole) }
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
    }
    return complete
  }

  /// The end of a line; an empty one ends the message.
  private mutating func end() -> Message? {
    guard !line.isEmpty else {
      defer { message = Message() }
      return message.data.isEmpty ? nil : message
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    let name = line[..<colon]
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    if name.elementsEqual("id".utf8) { message.id = text }
    if name.elementsEqual("event".utf8) { message.event = text }
    if name.elementsEqual("data".utf8) { message.data += message.data.isEmpty ? text : "\n" + text }
    return nil
  }
}
