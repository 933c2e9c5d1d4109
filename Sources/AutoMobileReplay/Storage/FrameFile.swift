import Foundation

/// The name of a frame's file, by which frames are in their order: number, time and whether it is a key frame.
struct FrameFile: Sendable, Hashable, Comparable {
  let number: Int
  /// In milliseconds since 1970.
  let timestamp: Int64
  let isKey: Bool

  var name: String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 9 - digits.count))
      + "\(digits)-\(timestamp)-\(isKey ? "key" : "delta").amf"
  }

  init(number: Int, timestamp: Int64, isKey: Bool) {
    self.number = number
    self.timestamp = timestamp
    self.isKey = isKey
  }

  /// Nil for every other file.
  init?(name: String) {
    guard name.hasSuffix(".amf") else { return nil }
    let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int(parts[0]), number >= 0, let timestamp = Int64(parts[1]),
      parts[2] == "key" || parts[2] == "delta"
    else { return nil }
    self.init(number: number, timestamp: timestamp, isKey: parts[2] == "key")
  }

  static func < (one: FrameFile, other: FrameFile) -> Bool { one.number < other.number }
}
