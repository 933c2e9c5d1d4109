import AutoMobileState
import NIOConcurrencyHelpers

/// Work that one of several collectors does: this one, as long as it has it. What was lost is asked for again.
final class WorkTurn: Sendable {
  private struct Contents: Sendable {
    var hold: StateHold?
    var isOver = false
  }

  private let work: StateWork
  private let store: any StateStore
  private let contents = NIOLockedValueBox(Contents())

  init(_ work: StateWork, in store: any StateStore) { (self.work, self.store) = (work, store) }

  /// Takes the work, unless this collector has it already.
  ///
  /// - Parameter begin: what comes first whenever it was taken: whoever had it before may have come further. It is not taken when
  ///   this throws.
  /// - Returns: what the work hangs on; nil: another collector has it, or it is over here.
  /// - Throws: what the store and `begin` say.
  func take(_ begin: () async throws -> Void = {}) async throws -> StateHold? {
    if let held { return held }
    guard let hold = try await store.hold(work) else { return nil }
    try await begin()
    return keep(hold)
  }

  /// The same on this thread, which is one of the collector's own.
  func takeNow(_ begin: () throws -> Void = {}) throws -> StateHold? {
    if let held { return held }
    guard let hold = try waitFor({ [store, work] in try await store.hold(work) }) else { return nil }
    try begin()
    return keep(hold)
  }

  /// Others may have it from now on, or from when nobody has what ``take(_:)`` gave out any more.
  func end() { contents.withLockedValue { $0 = Contents(isOver: true) } }

  /// The same, but this one may take it again.
  func letGo() { contents.withLockedValue { $0.hold = nil } }

  /// Whether this collector has it at this moment.
  var isOurs: Bool { held != nil }

  private var held: StateHold? { contents.withLockedValue { $0.hold?.isHeld == true ? $0.hold : nil } }

  private func keep(_ hold: StateHold) -> StateHold? {
    contents.withLockedValue { contents in
      guard !contents.isOver else { return nil }
      contents.hold = hold
      return hold
    }
  }
}
