import Foundation

/// The kernel's files of a few lines, as under `/proc`.
package enum SmallFile {
  /// The first 8 KiB as text; nil when the file cannot be opened.
  package static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, done in
      done = 0
      while done < buffer.count {
        let got = Foundation.read(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if got > 0 {
          done += got
        } else if got == 0 || errno != EINTR {
          break
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
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
