import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// Answers that are in memory until somebody has taken them: all together have a limit, however slowly they are taken.
final class AnswerBudget: Sendable {
  /// Gives back what it holds when nothing refers to it any more.
  private final class Lease: Sendable {
    private let budget: AnswerBudget
    private let bytes: Int

    init(_ budget: AnswerBudget, _ bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.used.withLockedValue { $0 -= bytes } }
  }

  /// Smaller answers are not worth counting.
  private static let small = 64 << 10
  /// What an answer that is written piece by piece has in memory at most, about.
  private static let stream = 1 << 20

  private let limit: Int
  private let used = NIOLockedValueBox(0)

  init(limit: Int) { self.limit = limit }

  var bytes: Int { used.withLockedValue { $0 } }

  /// - Throws: ``APIError`` 429 when there is no room for another answer, before it is worked out.
  func check() throws {
    guard bytes < limit else { throw Self.busy }
  }

  /// The answer, counted from now until it has been taken.
  ///
  /// - Throws: ``APIError`` 429 when there is no room for it.
  func counting(_ response: Response, on channel: any Channel) throws -> Response {
    let length = response.body.contentLength
    if let length, length <= Self.small { return response }
    let lease = try lease(length ?? Self.stream)
    var response = response
    let body = response.body
    response.body = ResponseBody(contentLength: length) { writer in
      try await body.write(PieceWriter(writer, channel.eventLoop))
      withExtendedLifetime(lease) {}
    }
    return response
  }

  private func lease(_ bytes: Int) throws -> Lease {
    try used.withLockedValue { used in
      guard used < limit else { throw Self.busy }
      used += bytes
    }
    return Lease(self, bytes)
  }

  private static let busy = APIError.busy("too many responses are waiting to be read: read those first, or try again")
}

/// Hands a large answer on in pieces, so that it waits here, where it is counted, and not in the connection.
private struct PieceWriter: ResponseBodyWriter {
  private static let piece = 64 << 10
  private var writer: any ResponseBodyWriter
  private let loop: any EventLoop

  init(_ writer: any ResponseBodyWriter, _ loop: any EventLoop) {
    self.writer = writer
    self.loop = loop
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while rest.readableBytes > 0 {
      guard let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes)) else { return }
      // Copied: a slice would keep the whole in memory, as long as the connection has not sent it.
      try await writer.write(ByteBuffer(bytes: piece.readableBytesView))
      // A write returns before the connection has seen it: only after a turn of its loop is it known whether more fits.
      try await loop.submit {}.get()
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await writer.finish(trailingHeaders) }
}
