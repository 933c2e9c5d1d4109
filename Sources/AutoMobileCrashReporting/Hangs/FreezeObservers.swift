import AutoMobileRecorder
import AutoMobileSupport

/// Who wants to hear of hangs so long that people give up: session replay.
package final class FreezeObservers: Sendable {
  /// What they hear, on the watchdog's thread.
  package enum Notice: Sendable {
    /// Once for each freeze, when it passes the threshold.
    case began(id: String, startedAt: Int64, DiagnosticReport)
    /// Nil: it was none.
    case ended(id: String, durationMs: Int64?)
  }

  package typealias Observer = @Sendable (Notice) -> Void

  private struct State {
    var observers: [UInt64: Observer] = [:]
    var next: UInt64 = 0
    /// The freeze that is going on.
    var current: String?
  }

  private let state = Locked(State())

  init() {}

  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  /// - Returns: what to remove the observer by.
  func add(_ observer: @escaping Observer) -> UInt64 {
    state.withLock { state in
      state.next &+= 1
      state.observers[state.next] = observer
      return state.next
    }
  }

  func remove(_ number: UInt64) {
    let old = state.withLock { $0.observers.removeValue(forKey: number) }
    withExtendedLifetime(old) {}
  }

  func began(_ incident: HangIncident, _ report: DiagnosticReport) {
    let observers = state.withLock { state -> [Observer] in
      guard state.current != incident.id else { return [] }
      state.current = incident.id
      return Array(state.observers.values)
    }
    observers.forEach { $0(.began(id: incident.id, startedAt: incident.startedAt, report)) }
  }

  func ended(_ incident: HangIncident, durationMs: Int64?) {
    let observers = state.withLock { state -> [Observer] in
      guard state.current == incident.id else { return [] }
      state.current = nil
      return Array(state.observers.values)
    }
    observers.forEach { $0(.ended(id: incident.id, durationMs: durationMs)) }
  }
}
