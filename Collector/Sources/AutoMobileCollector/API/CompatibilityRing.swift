import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// The last envelopes as they came, for tools written for AutoMobile's own receiver: `GET /sdk-events` hands them out
/// once. Everything is in the index as well.
final class CompatibilityRing: Sendable {
  private struct State {
    var batches: [ByteBuffer] = []
    var bytes = 0
  }

  private let state = NIOLockedValueBox(State())
  private let capacity = 500
  private let maximumBytes = 16 << 20

  func add(_ batch: ByteBuffer) {
    state.withLockedValue { state in
      state.batches.append(batch)
      state.bytes += batch.readableBytes
      while state.batches.count > capacity || state.bytes > maximumBytes, !state.batches.isEmpty {
        state.bytes -= state.batches.removeFirst().readableBytes
      }
    }
  }

  /// All of them as a JSON array, oldest first; afterwards there are none.
  func drain() -> Response {
    let batches = state.withLockedValue { state in
      defer { state = State() }
      return state.batches
    }
    var body = ByteBuffer(string: "[")
    for (index, batch) in batches.enumerated() {
      if index > 0 { body.writeString(",") }
      body.writeImmutableBuffer(batch)
    }
    body.writeString("]")
    return Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: body))
  }
}
