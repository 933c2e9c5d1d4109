import AutoMobileState
import NIOConcurrencyHelpers

@testable import AutoMobileCollector

/// A state elsewhere that goes away in the middle of what a test does: what happens to a process that dies there, or to one that goes on
/// without it.
final class BreakingState: StateStore {
  struct Broken: Error {}
  /// Where it breaks, once.
  enum Break: Sendable, Equatable {
    /// The write is never run.
    case before(Int)
    /// The write is kept, and whoever asked for it never hears of that.
    case after(Int)
    /// The write is kept, whoever asked for it hears so, and then nothing answers until ``BreakingState/isAway`` is false.
    case behind(Int)
  }

  private struct Course: Sendable {
    var at: Break?
    var writes = 0
    var error: any Error = Broken()
    var isAway = false
    var refusal: StateError?
    var readingRefusal: StateError?
    var onBreak: @Sendable () throws -> Void = {}
    var onRead: @Sendable () -> Void = {}
  }

  static let away = StateError(.unavailable, "it does not answer")

  private let state: any StateStore
  private let course = NIOLockedValueBox(Course())

  init(_ state: any StateStore) { self.state = state }

  /// Counts writes from 0 anew.
  ///
  /// - Parameters:
  ///   - error: what whoever asked is told.
  ///   - meanwhile: what happens in that moment.
  func breaks(_ at: Break?, with error: any Error = Broken(), meanwhile: @escaping @Sendable () throws -> Void = {}) {
    course.withLockedValue { ($0.at, $0.writes, $0.error, $0.onBreak) = (at, 0, error, meanwhile) }
  }

  /// Whether it broke, or was not to.
  var hasBroken: Bool { course.withLockedValue { $0.at == nil } }

  /// Nothing can be read or written.
  var isAway: Bool {
    get { course.withLockedValue { $0.isAway } }
    set { course.withLockedValue { $0.isAway = newValue } }
  }

  /// Every write is refused so; nil: none.
  func refuses(_ error: StateError?) { course.withLockedValue { $0.refusal = error } }

  /// The same of every read.
  func refusesReading(_ error: StateError?) { course.withLockedValue { $0.readingRefusal = error } }

  /// Runs before each read, on the thread that reads.
  func onRead(_ body: @escaping @Sendable () -> Void) { course.withLockedValue { $0.onRead = body } }

  private func step<Result>(_ run: () throws -> Result) throws -> Result {
    let (at, course) = course.withLockedValue { course in
      defer { course.writes += 1 }
      let isNow = [.before(course.writes), .after(course.writes), .behind(course.writes)].contains(course.at)
      let at = isNow ? course.at : nil
      if isNow { course.at = nil }
      return (at, course)
    }
    guard !course.isAway else { throw Self.away }
    if let refusal = course.refusal { throw refusal }
    guard let at else { return try run() }
    if case .before = at {
      try course.onBreak()
      throw course.error
    }
    // Whoever hears of the write finds nothing any more.
    if case .behind = at { isAway = true }
    let result = try run()
    try course.onBreak()
    guard case .behind = at else { throw course.error }
    return result
  }

  var place: String { "a state that breaks" }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateReading) throws -> Result
  ) async throws -> Result {
    try checkReading()
    return try await state.read(body)
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result { try await offLoop { try self.writeNow(body) } }

  func readNow<Result>(_ body: (borrowing StateReading) throws -> Result) throws -> Result {
    course.withLockedValue { $0.onRead }()
    try checkReading()
    return try state.readNow(body)
  }

  private func checkReading() throws {
    guard !isAway else { throw Self.away }
    if let refusal = course.withLockedValue({ $0.readingRefusal }) { throw refusal }
  }

  func writeNow<Result>(_ body: (borrowing StateWriting) throws -> Result) throws -> Result {
    try step { try state.writeNow(body) }
  }

  func news(of subjects: Set<StateSubject>) -> AsyncStream<StateNews> { state.news(of: subjects) }
  func hold(_ work: StateWork) async throws -> StateHold? { try await state.hold(work) }
  func check() async throws { try await state.check() }
  func close() throws {}
}
