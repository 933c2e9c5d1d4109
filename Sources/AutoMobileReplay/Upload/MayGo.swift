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
}

extension SessionRecord {
  /// What rules and asks name, by events' times, as times of the session.
  func mayGo(_ stretches: ReplayStretches?) -> MayGo {
    guard let stretches else { return .everything }
    switch stretches.holding {
    case .unknown: return .unknown
    case .everything: return .everything
    case .named: return .within(own(stretches.ranges(of: launch)))
    }
  }

  /// Events have the wall clock's times. Where that was set while the session went on, each time means what it meant then.
  func own(_ stretches: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    let offsets = offsets ?? []
    guard !offsets.isEmpty else { return stretches }
    var own: [ClosedRange<Int64>] = []
    var (since, offset) = (Int64.min, Int64(0))
    func add(until: Int64) {
      guard since <= until else { return }
      for stretch in stretches {
        let from = stretch.lowerBound.subtracting(saturating: offset)
        let to = stretch.upperBound == .max ? .max : stretch.upperBound.subtracting(saturating: offset)
        guard from <= until, to >= since else { continue }
        // bounded: both overlap, as just compared.
        own.append(max(from, since)...min(to, until))
      }
    }
    for next in offsets {
      add(until: next.since.subtracting(saturating: 1))
      (since, offset) = (max(since, next.since), next.milliseconds)
    }
    add(until: .max)
    return ReplayStretches.joined(own)
  }
}
