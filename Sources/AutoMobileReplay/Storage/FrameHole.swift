import Foundation

/// Where a segment of frames was that has been sent, or made room for others, while one before it stays: an empty file, so that the
/// one before it is known to have been on the screen until then, and no longer.
enum FrameHole {
  private static let suffix = ".gone"

  static func name(of key: FrameFile) -> String { "\(key.number)-\(key.timestamp)\(suffix)" }

  /// The number and the time of the key frame; nil for every other file.
  static func read(_ name: String) -> (number: Int, timestamp: Int64)? {
    guard name.hasSuffix(suffix) else { return nil }
    let parts = name.dropLast(suffix.count).split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]), let timestamp = Int64(parts[1]) else { return nil }
    return (number, timestamp)
  }
}
