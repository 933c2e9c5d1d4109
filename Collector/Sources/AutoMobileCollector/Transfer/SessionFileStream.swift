import Crypto
import Foundation
import NIOCore

/// A session file's bytes become its items, one at a time, as they come.
struct SessionFileStream {
  let limits: CollectorLimits
  private let gzip = GzipReader()
  private var lines = SessionFileLines()
  private var session = ""
  private var size = 0
  private var hash = Crypto.SHA256()

  init(limits: CollectorLimits) { self.limits = limits }

  /// - Throws: ``APIError`` that names the line, and what `take` throws.
  mutating func read(_ part: ByteBuffer, _ take: (SessionFileItem) async throws -> Void) async throws {
    size += part.readableBytes
    guard size <= SessionFile.maximumBytes else {
      throw SessionFileLines.tooLarge("more than \(SessionFile.maximumBytes) bytes")
    }
    var rest = part
    // In slices, so that what comes out of a small piece is looked at before more of it comes.
    while let slice = rest.readSlice(length: min(rest.readableBytes, 1 << 14)), slice.readableBytes > 0 {
      var whole: [ByteBuffer] = []
      do {
        try gzip.decompress(slice) { try lines.split($0, into: &whole) }
      } catch is Inflater.Failure {
        throw APIError.badRequest("invalid_gzip", "this is not a session file: it is not gzip, or is damaged")
      }
      for line in whole { try await take(try item(line)) }
    }
  }

  private mutating func item(_ bytes: ByteBuffer) throws -> SessionFileItem {
    let (kind, value) = try lines.read(bytes, maximumDepth: limits.jsonDepth)
    // The first line says when the file was written: the same session is the same file on another day.
    if kind == .automobile {
      session = value["sessionId"]?.string ?? ""
    } else {
      hash.update(data: bytes.readableBytesView)
    }
    return try SessionFileItem(kind, value, line: lines.number, session: session, limits: limits)
  }

  /// What the file's contents are known by.
  ///
  /// - Throws: ``APIError`` when it is not whole.
  func finish() throws -> String {
    guard gzip.isComplete, lines.isComplete else {
      throw APIError.badRequest(
        "truncated", "the file ends early, after \(lines.number) lines; nothing was imported")
    }
    var hash = hash
    hash.update(data: Data(session.utf8))
    return hash.finalize().prefix(16).hexText
  }
}
