import AutoMobileJournal
import Foundation

/// Where in a session's journal the lines of which window of time are: what of them somebody wants is read there, and the rest stays.
///
/// What it has looked at once it does not read again.
struct LineIndex: Sendable {
  /// Lines of a window, one after the other.
  fileprivate struct Run {
    var window: Int64
    var positions: Range<UInt64>
  }

  fileprivate struct Launch {
    var looked: UInt64 = 0
    var runs: [Run] = []
    /// By window, the time of the first snapshot in it.
    var snapshots: [Int64: Int64] = [:]
  }

  /// In milliseconds.
  static let window = LineSegments.part &* LineSegments.parts
  /// How much is looked at in one go, in bytes.
  private static let stride = 256 * 1024

  private var launches: [LaunchID: Launch] = [:]
  /// When lines were last looked for, there was something that could not be read now: it may hold what somebody wants.
  var isHeldUp = false

  /// Looks at what has come since.
  mutating func look(at journal: SessionJournal) {
    isHeldUp = false
    for id in journal.launches {
      var launch = launches[id] ?? Launch()
      var isEnd = false
      while !isEnd {
        let walked = journal.journal.walk(id, from: launch.looked, maximumBytes: Self.stride) {
          launch.add($0, $1, next: $2, $3)
        }
        if walked.isHeldUp { isHeldUp = true }
        isEnd = walked.isEnd || walked.next == launch.looked
        launch.looked = walked.next
      }
      launches[id] = launch
    }
  }

  /// Where the lines of the windows are that may go: sorted and disjoint.
  ///
  /// - Parameter endedAt: when the session ended; nil: it goes on.
  func ranges(of id: LaunchID, _ mayGo: MayGo, endedAt: Int64?) -> [Range<UInt64>] {
    guard let launch = launches[id] else { return [] }
    let snapshots = launch.snapshots.sorted { $0.key < $1.key }
    return launch.runs.filter { mayGo.takes(Self.time(of: $0.window, snapshots, endedAt)) }.map(\.positions)
  }

  /// A window's time. What a snapshot shows is there until the next one, however long nothing changes.
  private static func time(
    of window: Int64, _ snapshots: [(key: Int64, value: Int64)], _ endedAt: Int64?
  ) -> ClosedRange<Int64> {
    let start = window.multiplied(saturating: Self.window)
    var end = start.adding(saturating: Self.window &- 1)
    if let own = snapshots.firstIndex(where: { $0.key == window }) {
      end = max(end, own + 1 < snapshots.count ? snapshots[own + 1].value.subtracting(saturating: 1) : .max)
    }
    end = min(end, endedAt ?? .max)
    // bounded: no greater than the greater of both.
    return start...max(start, end)
  }
}

extension LineIndex.Launch {
  fileprivate mutating func add(
    _ kind: RecordKind, _ position: UInt64, next: UInt64, _ payload: UnsafeRawBufferPointer
  ) {
    guard let kind = Segment.Kind(lines: kind), let time = LineSegments.time(of: payload) else { return }
    let window = time / max(1, LineIndex.window)
    if kind == .hierarchy { snapshots[window] = min(snapshots[window] ?? time, time) }
    // bounded: a record ends after it begins.
    let positions = position..<max(position &+ 1, next)
    if let last = runs.last, last.window == window {
      runs[runs.count - 1].positions = last.positions.lowerBound..<max(last.positions.upperBound, positions.upperBound)
    } else {
      runs.append(LineIndex.Run(window: window, positions: positions))
    }
  }
}
