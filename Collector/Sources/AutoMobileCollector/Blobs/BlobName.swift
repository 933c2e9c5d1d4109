/// What a blob is called: a folder and a file's name in it. The same name is a path below a directory, and an object's key
/// below a prefix. It is made of few characters, so that it leads nowhere else in either.
package struct BlobName: Hashable, Sendable, Comparable, CustomStringConvertible {
  package enum Folder: String, CaseIterable, Sendable {
    /// Packs of replays.
    case replays
    /// Programs, debug files, and archives of sources.
    case symbols
  }

  package let folder: Folder
  package let file: String

  /// What is being written ends with this; no blob does.
  static let unfinished = ".part"
  static let longest = 200

  /// Nil when `file` is not one to 200 ASCII letters, digits, dots, dashes and underscores, the first a letter or a digit.
  package init?(_ folder: Folder, _ file: String) {
    guard (1...Self.longest).contains(file.utf8.count), !file.hasSuffix(Self.unfinished),
      file.utf8.allSatisfy({ Self.isPlain($0) || "._-".utf8.contains($0) }), file.utf8.first.map(Self.isPlain) == true
    else { return nil }
    self.folder = folder
    self.file = file
  }

  /// Reads what ``key`` writes.
  package init?(key: String) {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let folder = Folder(rawValue: String(parts[0])) else { return nil }
    self.init(folder, String(parts[1]))
  }

  /// With a slash between the two.
  package var key: String { "\(folder.rawValue)/\(file)" }
  package var description: String { key }

  package static func < (left: BlobName, right: BlobName) -> Bool { left.key < right.key }

  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Digits that no other process has come upon.
  static func unique(bytes: Int = 8) -> String {
    (0..<bytes).map { _ in UInt8.random(in: 0...255) }.hexText
  }
}
