import AutoMobileState
import NIOConcurrencyHelpers

/// In which order everything came that collectors have in one store, as the state says it.
///
/// Many ask for what is new, so what came last is in memory, until the state says that there is more.
final class ArrivalOrder: Sendable {
  let state: any StateStore
  private let cache = NIOLockedValueBox(Cache())
  private let follower = NIOLockedValueBox<Task<Void, Never>?>(nil)

  /// Ranges that are read in one go.
  static let most = 64
  /// What may be missed is looked for all the same.
  private static let fresh = Duration.seconds(1)

  private struct Cache {
    var slice: ArrivalSlice?
    var start: Int64 = 0
    var readAt = ContinuousClock.now
    /// Counts news: what was read before one is not kept.
    var generation = 0

    func known(after place: Int64) -> ArrivalSlice? {
      guard let slice, place >= start, place <= slice.end, readAt.duration(to: .now) < ArrivalOrder.fresh else {
        return nil
      }
      return ArrivalSlice(ranges: slice.ranges.compactMap { $0.part(after: place) }, end: slice.end, isLast: true)
    }
  }

  init(_ state: any StateStore) { self.state = state }

  deinit { follower.withLockedValue { $0 }?.cancel() }

  /// Calls `action` whenever something has come, whichever collector has it. To be called once.
  func follow(_ action: @escaping @Sendable () -> Void) {
    let news = state.news(of: [.tail])
    let task = Task { [weak self] in
      for await _ in news {
        self?.forget()
        action()
      }
    }
    follower.withLockedValue { $0 = task }
  }

  func stop() { follower.withLockedValue { $0 }?.cancel() }

  private func forget() {
    cache.withLockedValue {
      $0.slice = nil
      $0.generation += 1
    }
  }

  /// Where the order ends at this moment.
  func end() async throws -> Int64 { try await state.read { try ArrivalRows.end(in: $0) } }

  /// What came after a place.
  func slice(after place: Int64) async throws -> ArrivalSlice {
    let (known, generation) = cache.withLockedValue { ($0.known(after: place), $0.generation) }
    if let known { return known }
    let slice = try await state.read { try ArrivalRows.slice(after: place, most: Self.most, in: $0) }
    cache.withLockedValue { cache in
      guard cache.generation == generation, slice.isLast else { return }
      (cache.slice, cache.start, cache.readAt) = (slice, place, .now)
    }
    return slice
  }

  /// ``ArrivalRows/ranges(before:above:in:)``.
  func ranges(before place: Int64, above number: Int64) async throws -> [ArrivalRange] {
    try await state.read { try ArrivalRows.ranges(before: place, above: number, in: $0) }
  }

  /// ``ArrivalRows/places(of:in:)``.
  func places(of numbers: [Int64]) async throws -> [Int64: Int64] {
    guard !numbers.isEmpty else { return [:] }
    return try await state.read { try ArrivalRows.places(of: numbers, in: $0) }
  }
}
