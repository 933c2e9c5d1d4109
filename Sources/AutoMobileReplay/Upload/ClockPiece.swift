import AutoMobileRecorder
import AutoMobileSupport

/// A part of a session for which the wall clock was not set.
struct ClockPiece: Sendable, Equatable {
  /// By the session's own time, which never jumps; in milliseconds since 1970.
  var time: ClosedRange<Int64>
  /// How far the wall clock was ahead of that.
  var offset: Int64
  /// How often the wall clock had been set back in the launch.
  var number: Int

  /// By the wall clock.
  var wall: ClosedRange<Int64> {
    let from = time.lowerBound.adding(saturating: offset)
    // bounded: no less than the lower bound.
    return from...max(from, time.upperBound == .max ? .max : time.upperBound.adding(saturating: offset))
  }

  /// What of the wall's times is in it, as times of the session.
  func own(_ wall: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let from = wall.lowerBound.subtracting(saturating: offset)
    let to = wall.upperBound == .max ? .max : wall.upperBound.subtracting(saturating: offset)
    guard from <= time.upperBound, to >= time.lowerBound else { return nil }
    // bounded: both overlap, as just compared.
    return max(from, time.lowerBound)...min(to, time.upperBound)
  }
}

extension SessionRecord {
  var pieces: [ClockPiece] {
    var pieces: [ClockPiece] = []
    var (since, offset, number) = (startedAt, Int64(0), clock ?? 0)
    func add(until: Int64) {
      // bounded: compared here.
      if since <= until { pieces.append(ClockPiece(time: since...until, offset: offset, number: number)) }
    }
    for next in offsets ?? [] {
      add(until: next.since.subtracting(saturating: 1))
      let isBack = offset.subtracting(saturating: next.milliseconds) > WallClock.tolerance
      number = next.clock ?? number.adding(saturating: isBack ? 1 : 0)
      (since, offset) = (max(since, next.since), next.milliseconds)
    }
    add(until: .max)
    return pieces
  }

  /// Events have the wall clock's times. Where that was set, times may come twice: a stretch means those of its own clock, by number.
  ///
  /// Rules count by the order of events, which may show less than was done, or not yet. As long as they have come to a smaller number than
  /// the session has, a stretch of their latest one may be of any clock from there on. Then it means only what can be no other time: by its
  /// own number, times that have not come again since; by a later one, what begins after all that the clock had shown before. Where they
  /// have come to a greater number, it means nothing. So less is sent, and never what was on the screen another time.
  func own(_ named: NamedStretches) -> [ClosedRange<Int64>] {
    let pieces = self.pieces
    let isUnseen = named.clock < (pieces.map(\.number).max() ?? 0)
    var own: [ClosedRange<Int64>] = []
    for (index, piece) in pieces.enumerated() {
      let later = pieces[index...].filter { $0.number > piece.number }.map(\.wall)
      let shown = pieces[..<index].map(\.wall.upperBound).max() ?? .min
      let before = max(shown, clockEnd ?? .min)
      for stretch in named.stretches {
        // bounded: no greater than the greater of both.
        let wall = stretch.from...max(stretch.from, stretch.to)
        let isLatest = isUnseen && stretch.clock == named.clock
        switch stretch.clock {
        case nil: own += [piece.own(wall)].compactMap { $0 }
        case piece.number?:
          let once = isLatest ? wall.without(later) : [wall]
          own += once.compactMap(piece.own)
        case let clock?:
          guard isLatest, clock < piece.number, wall.lowerBound > before else { continue }
          own += wall.without(later).compactMap(piece.own)
        }
      }
    }
    return ReplayStretches.joined(own)
  }
}

extension ClosedRange<Int64> {
  /// What of it is in none of some others.
  fileprivate func without(_ others: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    others.reduce([self]) { rest, other in
      rest.flatMap { range -> [ClosedRange<Int64>] in
        guard range.overlaps(other) else { return [range] }
        var left: [ClosedRange<Int64>] = []
        // bounded: compared just before, both.
        if range.lowerBound < other.lowerBound { left.append(range.lowerBound...(other.lowerBound &- 1)) }
        if range.upperBound > other.upperBound { left.append((other.upperBound &+ 1)...range.upperBound) }
        return left
      }
    }
  }
}
