import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

extension CollectorClient {
  /// A request that changes something, and its answer.
  ///
  /// - Throws: ``Failure``, with what the collector said was wrong.
  func send(
    _ method: HTTPMethod, _ path: String, _ query: [(String, String?)] = [], type: String? = nil,
    body: HTTPClientRequest.Body? = nil, timeout: TimeAmount? = nil
  ) async throws -> JSON {
    var request = request(path, query)
    request.method = method
    request.body = body
    if let type { request.headers.add(name: "Content-Type", value: type) }
    let answer = try await raw(request, timeout: timeout ?? self.timeout)
    guard answer.status == 200 else { throw refusal(status: answer.status, body: answer.body) }
    return (try? JSONDecoder().decode(JSON.self, from: Data(answer.body.readableBytesView))) ?? .null
  }

  /// Sends a file as it is, in pieces.
  func upload(_ path: String, to target: String, name: String) async throws -> JSON {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else {
      throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be read.")
    }
    try file.seek(toOffset: 0)
    let body = HTTPClientRequest.Body.stream(FilePieces(file: file), length: .known(Int64(size)))
    return try await send(
      .POST, target, [("name", name)], type: "application/octet-stream", body: body, timeout: .minutes(15))
  }
}

/// A file's contents, a megabyte at a time.
private struct FilePieces: AsyncSequence, Sendable {
  typealias Element = ByteBuffer
  let file: FileHandle

  struct AsyncIterator: AsyncIteratorProtocol {
    let file: FileHandle

    func next() async throws -> ByteBuffer? {
      guard let data = try file.read(upToCount: 1 << 20), !data.isEmpty else { return nil }
      return ByteBuffer(data: data)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file) }
}
