import AutoMobileJournal
import Foundation

extension HierarchySnapshot {
  /// All of the line but the time it begins with: what is compared with the snapshot before.
  var content: Data {
    var json = Data(capacity: 64 + nodes.count * 80)
    json.append(text: #""screen":"#)
    json.append(string: screen)
    json.append(text: ",\"w\":\(Self.number(size.width)),\"h\":\(Self.number(size.height)),\"nodes\":[")
    var isFirst = true
    for node in nodes.prefix(Self.maximumNodes) {
      if !isFirst { json.append(text: ",") }
      isFirst = false
      node.write(&json)
    }
    json.append(text: "]}")
    return json
  }

  static func line(_ content: Data, at timestamp: Int64) -> Data {
    var line = Data(capacity: content.count + 32)
    line.append(text: "{\"t\":\(timestamp),")
    line.append(content)
    return line
  }

  /// With one decimal, as far as it is needed; 0 for what is no number.
  fileprivate static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let tenths = Int(saturating: (value * 10).rounded())
    return tenths % 10 == 0
      ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\((tenths / 10).magnitude).\((tenths % 10).magnitude)"
  }
}

extension HierarchySnapshot.Node {
  fileprivate func write(_ json: inout Data) {
    typealias Snapshot = HierarchySnapshot
    json.append(
      text: "{\"k\":\"\(kind.rawValue)\",\"x\":\(Snapshot.number(frame.minX)),\"y\":\(Snapshot.number(frame.minY))")
    json.append(text: ",\"w\":\(Snapshot.number(frame.width)),\"h\":\(Snapshot.number(frame.height))")
    if let background { json.append(text: ",\"c\":\"\(Self.hex(background))\"") }
    if isMasked {
      // Whoever made the node may have filled in more than it should.
      json.append(text: ",\"m\":true")
    } else {
      if let text, !text.isEmpty {
        json.append(text: ",\"t\":")
        json.append(string: String(text.prefix(Snapshot.maximumText)))
      }
      if let symbol {
        json.append(text: ",\"s\":")
        json.append(string: String(symbol.prefix(100)))
      }
    }
    if let fontSize { json.append(text: ",\"f\":\(Snapshot.number(fontSize))") }
    if let textColour { json.append(text: ",\"fc\":\"\(Self.hex(textColour))\"") }
    if let cornerRadius, cornerRadius > 0 { json.append(text: ",\"r\":\(Snapshot.number(cornerRadius))") }
    json.append(text: "}")
  }

  private static func hex(_ colour: UInt32) -> String {
    let digits = String(colour & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}

extension Data {
  fileprivate mutating func append(text: String) { append(contentsOf: text.utf8) }

  fileprivate mutating func append(string: String) {
    append(0x22)
    for byte in string.utf8 {
      switch byte {
      case 0x22, 0x5C:
        append(0x5C)
        append(byte)
      case 0..<0x20:
        append(text: "\\u00")
        append(text: byte < 16 ? "0" : "1")
        append(text: String(byte & 15, radix: 16))
      default: append(byte)
      }
    }
    append(0x22)
  }
}
