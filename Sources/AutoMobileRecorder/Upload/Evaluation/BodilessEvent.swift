/// An event without the bodies in it: of a request what was sent and received, of a WebSocket frame its payload.
///
/// In the place of `"responseBody":"…"` stands `"responseBodyNotSent":true`. What tells how to read a body goes with it, its size stays.
/// The same event always gives the same bytes.
enum BodilessEvent {
  private struct Content {
    var name: [UInt8]
    /// What stands in its place.
    var mark: [UInt8]
    /// Members that say something of it only.
    var descriptions: [[UInt8]]

    init(_ name: String) {
      self.name = Array(name.utf8)
      mark = Array("\"\(name)NotSent\":true".utf8)
      descriptions = [Array("\(name)Encoding".utf8), Array("\(name)Truncated".utf8)]
    }
  }

  private static let ofRequest = [Content("requestBody"), Content("responseBody")]
  private static let ofFrame = [Content("payload")]
  private static let request = EventTypeNumber.of(.networkRequest)
  private static let frame = EventTypeNumber.of(.webSocketFrame)

  /// Its JSON; nil when there is no body in it. What is no JSON has none.
  static func json(_ payload: UnsafeRawBufferPointer) -> [UInt8]? {
    let event = EventBytes(payload)
    let possible =
      switch EventHead(event).type {
      case request: ofRequest
      case frame: ofFrame
      default: [Content]()
      }
    let contents = possible.filter { event.member($0.name).map { hasContent(event, $0) } ?? false }
    guard !contents.isEmpty else { return nil }
    var json: [UInt8] = []
    json.reserveCapacity(payload.count)
    var members = EventBytes.Members(payload, 0..<payload.count)
    var end = 0
    while let member = members.next() {
      end = member.value.upperBound
      let name = payload[member.name]
      if contents.contains(where: { $0.descriptions.contains { name.elementsEqual($0) } }) { continue }
      json.append(json.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      if let content = contents.first(where: { name.elementsEqual($0.name) }) {
        json += content.mark
      } else {
        // With the quote before its name.
        json += payload[member.name.lowerBound - 1..<member.value.upperBound]
      }
    }
    // It has not been read to its end: what would be left out there nobody knows.
    guard payload[end...].first(where: { !JSONBytes.isSpace($0) }) == UInt8(ascii: "}") else { return nil }
    json.append(UInt8(ascii: "}"))
    return json
  }

  private static func hasContent(_ event: EventBytes, _ place: EventBytes.Place) -> Bool {
    !event.isNothing(place) && !event.bytes[place].elementsEqual("\"\"".utf8)
  }
}
