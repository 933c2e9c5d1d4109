import Foundation

/// Events of the app's own types, which know only `Codable`.
extension EventJSONWriter {
  /// Writes the members that the event's `encode(to:)` gives.
  ///
  /// `eventType` and `timestamp` are added when they are not among them. What is no object at all becomes the member
  /// `value`. Numbers that are not finite become the strings `Infinity`, `-Infinity` and `NaN`, so that one of them
  /// does not cost the event.
  mutating func members(of event: some SdkEvent) {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let encoded = ErrorBarrier.run(.eventEncoding, or: nil) { try? encoder.encode(event) }
    guard let json = encoded else { return fail(.notEncodable) }
    json.withUnsafeBytes { json in
      let isObject = json.count >= 2 && json.first == UInt8(ascii: "{") && json.last == UInt8(ascii: "}")
      let keys = isObject ? TopLevelKeys(json) : TopLevelKeys()
      if !keys.hasEventType { member("eventType", event.eventType.rawValue) }
      if !keys.hasTimestamp { member("timestamp", event.timestamp) }
      if !isObject { key("value") }
      let inner = isObject ? UnsafeRawBufferPointer(rebasing: json[1..<json.count - 1]) : json
      if !inner.isEmpty {
        raw(inner)
        comma()
      }
    }
  }
}

/// Which of the members that every event has are in an object, in JSON that an encoder wrote.
private struct TopLevelKeys {
  private(set) var hasEventType = false
  private(set) var hasTimestamp = false

  init() {}

  init(_ json: UnsafeRawBufferPointer) {
    var depth = 0
    var index = 0
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let end = TopLevelKeys.endOfString(json, from: index + 1)
        if depth == 1, end + 1 < json.count, json[end + 1] == UInt8(ascii: ":") {
          let key = json[index + 1..<end]
          hasEventType = hasEventType || key.elementsEqual("eventType".utf8)
          hasTimestamp = hasTimestamp || key.elementsEqual("timestamp".utf8)
        }
        index = end
      default: break
      }
      index += 1
    }
  }

  /// The closing quote's index.
  private static func endOfString(_ json: UnsafeRawBufferPointer, from index: Int) -> Int {
    var index = index
    while index < json.count, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index
  }
}
