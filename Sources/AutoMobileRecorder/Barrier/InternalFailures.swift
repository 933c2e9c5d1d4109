import AutoMobileSupport

/// What went wrong inside the SDK, and was kept from the app, by place.
///
/// One for the process, because what exceptions are told to is one function for the process.
package final class InternalFailures: Sendable {
  package static let shared = InternalFailures()

  private struct State {
    var counts: [String: UInt64] = [:]
    var onFailure: (@Sendable (BarrierFailure) -> Void)?

    mutating func count(_ place: String) {
      let isKnown = counts[place] != nil || counts.count < maximumPlaces
      counts[isKnown ? place : otherPlaces, default: 0] &+= 1
    }
  }
  private let state = Locked(State())

  /// More places than this are counted together.
  static let maximumPlaces = 200
  static let otherPlaces = "other"

  init() {}

  /// How often what went wrong where.
  var counts: [String: UInt64] { state.withLock { $0.counts } }

  /// Counts a failure that needs no report.
  package func count(_ place: String) { state.withLock { $0.count(place) } }

  /// Counts an exception, and tells whoever reports them.
  func note(_ failure: BarrierFailure) {
    let onFailure = state.withLock { state in
      state.count(failure.place)
      return state.onFailure
    }
    onFailure?(failure)
  }

  /// Has `onFailure` told of exceptions, on the thread on which they were caught; nobody when nil.
  func tell(_ onFailure: (@Sendable (BarrierFailure) -> Void)?) {
    let before = state.withLock { state in
      defer { state.onFailure = onFailure }
      return state.onFailure
    }
    withExtendedLifetime(before) {}
  }
}
