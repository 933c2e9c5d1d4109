import AutoMobileRecorder
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A body as Apple's loading system hands it to a protocol: as a stream, whatever the app gave it.
///
/// A stream can be sent once. The second time that it is needed (a 307, a password that was asked for, a connection that was
/// lost) is a failure that the app would not have without the SDK, and a stream has no `Content-Length`. So what the app
/// gave as `Data` becomes that again, up to ``limit``.
enum HandedOverBody {
  /// The most of a body that is kept in memory, in bytes. What is longer is streamed, once.
  static let limit = 4 * 1024 * 1024
  private static let pieceSize = 64 * 1024
  /// Reading a file may take a while.
  private static let queue = DispatchQueue(
    label: "dev.jasonpearson.automobile.sdk.network.bodies.ahead", qos: .userInitiated, attributes: .concurrent)

  /// Reads what `request` was handed over with, if it was; `then` is called at once or on a queue of its own.
  static func read(_ request: HostRequest, then: @escaping @Sendable (HostRequest) -> Void) {
    guard case .handedOver(let stream) = request.body else { return then(request) }
    // Not Sendable; from here on only the queue has it.
    nonisolated(unsafe) let handedOver = stream
    queue.async { then(read(request, handedOver)) }
  }

  private static func read(_ request: HostRequest, _ stream: InputStream) -> HostRequest {
    var request = request
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: pieceSize)
    var isWhole = false
    stream.open()
    // A stream that the app writes while it is read has moments without bytes, and waiting for the next could be for ever:
    // the app may write them when it has seen the beginning of the answer.
    while !isWhole, bytes.count <= limit, stream.hasBytesAvailable {
      let count = stream.read(&piece, maxLength: pieceSize)
      if count < 0 { break }
      bytes.append(contentsOf: piece[..<count])
      isWhole = count == 0
    }
    if stream.streamStatus == .error {
      request.body = .broken(stream.streamError ?? URLError(.cannotOpenFile))
    } else if isWhole || stream.streamStatus == .atEnd, bytes.count <= limit {
      stream.close()
      request.request.httpBody = bytes
      request.body = .ofRequest
    } else {
      request.body = .begun(bytes, rest: stream)
    }
    return request
  }
}
