import AutoMobileState
import NIOConcurrencyHelpers

@testable import AutoMobileCollector

/// A state elsewhere that goes away in the middle of what a test does: what happens to a process that dies there.
final class BreakingState: StateStore {
  struct Broken: Error {}
  /// Where it breaks, once.
  enum Break: Sendable, Equatable {
    /// The write is never run.
    case before(Int)
    /// The write is kept, and whoever asked for it never hears of that.
    case after(Int)
  }

  private let state: any StateStore
  private let next = NIOLockedValueBox<(at: Break?, writes: Int)>((nil, 0))

  init(_ state: any StateStore) { self.state = state }

  /// Counts writes from 0 anew.
  func breaks(_ at: Break?) { next.withLockedValue { $0 = (at, 0) } }

  /// Whether it broke, or was not to.
  var hasBroken: Bool { next.withLockedValue { $0.at == nil } }

  private func step<Result>(_ run: () throws -> Result) throws -> Result {
    let (isBefore, isAfter) = next.withLockedValue { next in
      defer { next.writes += 1 }
      let found = (next.at == .before(next.writes), next.at == .after(next.writes))
      if found.0 || found.1 { next.at = nil }
      return found
    }
    if isBefore { throw Broken() }
    let result = try run()
    if isAfter { throw Broken() }
    return result
  }

  var place: String { "a state that breaks" }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateReading) throws -> Result
  ) async throws -> Result { try await state.read(body) }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result { try await offLoop { try self.writeNow(body) } }

  func readNow<Result>(_ body: (borrowing StateReading) throws -> Result) throws -> Result { try state.readNow(body) }

  func writeNow<Result>(_ body: (borrowing StateWriting) throws -> Result) throws -> Result {
    try step { try state.writeNow(body) }
  }

  func news(of subjects: Set<StateSubject>) -> AsyncStream<StateNews> { state.news(of: subjects) }
  func hold(_ work: StateWork) async throws -> StateHold? { try await state.hold(work) }
  func check() async throws { try await state.check() }
  func close() throws {}
}
