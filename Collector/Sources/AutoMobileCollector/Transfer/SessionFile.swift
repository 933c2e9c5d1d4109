import Foundation

/// A session as one file: gzip of lines of JSON, of which each is what a collector takes anyway. So it is read by the
/// same code, with the same limits, as what apps deliver; there are no paths in it, and nothing is unpacked to the disk.
/// Documentation/SessionFile.md has the format.
enum SessionFile {
  static let mediaType = "application/vnd.automobile.session+gzip"
  static let version: Int64 = 1

  /// What one may send, in bytes: as it comes, after decompression, and of one line.
  static let maximumBytes = 512 << 20
  static let maximumContent = 2 << 30
  static let maximumLine = 16 << 20
  static let maximumLines = 200_000

  /// A line's only member says what it is.
  enum Line: String {
    /// The first: what this is.
    case automobile
    /// A batch of events of one launch, in AutoMobile's envelope.
    case events
    /// A segment of a replay, as it is announced, with `body`: its gzip in base64.
    case segment
    /// The end of a replay, as it is told.
    case end
    /// The last: how many lines came before. Without it the file is not whole.
    case complete
  }

  static func invalid(_ line: Int, _ message: String) -> APIError {
    APIError.badRequest("invalid_file", "line \(line) of the session file \(message)")
  }
}
