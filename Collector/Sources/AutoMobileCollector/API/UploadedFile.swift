import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
  /// Writes the body, one file as it is, to the disk as it comes.
  ///
  /// - Throws: ``APIError`` when it is not declared as a file, larger than it may be, or breaks off.
  func receive(into part: URL, limit: Int64, tooLarge: String) async throws {
    // A type that no web page can send without asking first.
    guard headers[.contentType] == "application/octet-stream" else {
      throw APIError(
        .unsupportedMediaType, "unsupported_media_type", "send the file as Content-Type application/octet-stream")
    }
    let announced = headers[.contentLength].flatMap { Int64($0) }
    if let announced, announced > limit { throw APIError.tooLarge(tooLarge) }
    let file = try FileDescriptor(
      creating: part.path, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
    var received: Int64 = 0
    for try await buffer in body {
      received += Int64(buffer.readableBytes)
      guard received <= limit else { throw APIError.tooLarge(tooLarge) }
      // Into the page cache; what takes long is done elsewhere.
      var bytes = buffer.readableBytesView[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write", part.path) }
        bytes = bytes.dropFirst(count)
      }
    }
    if let announced, announced != received {
      throw APIError.badRequest("truncated", "the file ends after \(received) of \(announced) bytes")
    }
  }
}

/// What waits for a disk or a name server does so where nobody else waits for it.
func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Swift.Result(catching: body)) }
  }
}
