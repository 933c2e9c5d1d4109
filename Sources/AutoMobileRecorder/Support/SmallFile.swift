import AutoMobileJournal
import Foundation

/// The kernel's files of a few lines, as under `/proc`.
package enum SmallFile {
  /// The first 8 KiB as text; nil when the file cannot be opened.
  package static func read(_ path: String) -> String? {
    guard let file = try? FileDescriptor(path: path, flags: O_RDONLY) else { return nil }
    defer { file.close() }
    return String(decoding: file.read(at: 0, count: 8192), as: UTF8.self)
  }

  /// The number in a file that holds nothing else; nil when there is none, as in `max`.
  package static func number(in path: String) -> UInt64? {
    read(path)?.split(whereSeparator: \.isWhitespace).first.flatMap { UInt64($0) }
  }

  /// The number that follows `key` at the beginning of a line: `TracerPid:	0`.
  package static func number(after key: String, in text: String) -> UInt64? {
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first.flatMap { UInt64($0) }
    }
    return nil
  }
}
