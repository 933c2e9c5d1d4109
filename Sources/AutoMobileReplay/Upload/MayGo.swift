import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport

/// What of a session may leave the device at this moment.
enum MayGo: Sendable, Equatable {
  /// Nobody knows: nothing goes, and nothing is removed.
  case unknown
  case everything
  /// What overlaps one of these times; the rest stays. In milliseconds since 1970 by the session's own clock; sorted and disjoint.
  case within([ClosedRange<Int64>])

  /// Whether something goes that shows this time.
  func takes(_ time: ClosedRange<Int64>) -> Bool {
    switch self {
    case .unknown: false
    case .everything: true
    case .within(let stretches): stretches.contains { $0.overlaps(time) }
    }
  }

  /// Whether something is there that would go, and does not because nobody wants it.
  var keeps: Bool { if case .within = self { true } else { false } }

  /// What of it is in some time.
  func clamped(to time: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    guard case .within(let stretches) = self else { return [time] }
    return stretches.filter { $0.overlaps(time) }.map { $0.clamped(to: time) }
  }
}

/// How far the wall clock was ahead of a session's own from some time of the session on, in milliseconds.
struct ClockOffset: Sendable, Equatable {
  var since: Int64
  var milliseconds: Int64
  /// How often it had been set back in the launch by then; nil: a version wrote this that did not count.
  var clock: Int?
}

extension SessionRecord {
  /// What rules and asks name, by events' times, as times of the session.
  func mayGo(_ stretches: ReplayStretches?) -> MayGo {
    guard let stretches else { return .everything }
    switch stretches.holding {
    case .unknown: return .unknown
    case .everything: return .everything
    case .named: return .within(own(stretches.named(of: launch)))
    }
  }
}
