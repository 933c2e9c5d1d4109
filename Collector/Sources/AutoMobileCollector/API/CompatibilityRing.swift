import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// The last envelopes as they came, for tools written for AutoMobile's own receiver: `GET /sdk-events` hands them out
/// once. Everything is in the index as well.
final class CompatibilityRing: Sendable {
  private struct Ring {
    var batches: [(number: UInt64, body: ByteBuffer)] = []
    var bytes = 0
  }

  private struct State {
    var rings: [DataOwner: Ring] = [:]
    var last: UInt64 = 0
  }

  private let state = NIOLockedValueBox(State())
  /// Of one app: what it brings too much pushes out its own only.
  private let capacity = 500
  private let maximumBytes = 8 << 20
  /// Apps; the one that has been silent for longest goes.
  private let maximumApps = 8

  func add(_ batch: ByteBuffer, of owner: DataOwner) {
    state.withLockedValue { state in
      state.last += 1
      var ring = state.rings.removeValue(forKey: owner) ?? Ring()
      ring.batches.append((state.last, batch))
      ring.bytes += batch.readableBytes
      while ring.batches.count > capacity || ring.bytes > maximumBytes, !ring.batches.isEmpty {
        ring.bytes -= ring.batches.removeFirst().body.readableBytes
      }
      if state.rings.count >= maximumApps,
        let oldest = state.rings.min(by: { $0.value.batches.last?.number ?? 0 < $1.value.batches.last?.number ?? 0 })
      {
        state.rings[oldest.key] = nil
      }
      state.rings[owner] = ring
    }
  }

  /// Some of it has been erased; it is not known which.
  func removeAll() { state.withLockedValue { $0.rings = [:] } }

  /// All of them, or those of one app, as a JSON array, oldest first; afterwards there are none.
  func drain(_ owner: DataOwner?) -> Response {
    let batches = state.withLockedValue { state in
      let rings = owner.map { [state.rings.removeValue(forKey: $0) ?? Ring()] } ?? Array(state.rings.values)
      if owner == nil { state.rings = [:] }
      return rings.flatMap(\.batches).sorted { $0.number < $1.number }.map(\.body)
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
