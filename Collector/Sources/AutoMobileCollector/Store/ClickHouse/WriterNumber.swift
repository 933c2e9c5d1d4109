import AutoMobileState
import Foundation
import Logging

/// The number of a collector among those that write into one ClickHouse. It is in the numbers of all events that came to it, which is
/// why no two collectors may have the same one, not even one after the other within clocks that differ.
///
/// So it belongs to a data directory, and stays its own while it is not running: the state has the list of them (``WriterList``). Where
/// none is left, the one goes to a new directory of which nothing has been heard for longest, and not for a day. A directory that was
/// copied while its collector runs is found out by a lock that each of them holds: the copy gets a number of its own.
///
/// What is in a directory's log has its number in it, and who follows what arrives asks for it by that number. So a directory with
/// something in its log keeps its number, or its collector does not start.
final class WriterNumber: Sendable {
  /// How long is waited for what, in seconds.
  struct Patience: Sendable {
    /// For the lock of a collector that ended: when its machine went away, the database takes up to twenty seconds to notice.
    var start = 40.0
    /// For the lock of a number that was nobody's a moment ago.
    var fresh = 3.0
    /// While somebody else has the lock of a collector that runs, before it counts as lost. It may be its own, from before its connection
    /// was cut.
    var lost = 30.0
    /// Between two looks at the lock.
    var look = 5.0

    init() {}
  }

  let number: Int
  /// The directory's name in the list; another one when it was a copy.
  let identity: String
  private let watch: WriterWatch?

  private static let attempts = 3

  /// - Parameters:
  ///   - identity: nil: a new directory.
  ///   - bound: the number of what is in the directory's log; nil: there is nothing.
  /// - Throws: ``CollectorError`` when there are as many collectors as there can be, or another one has the number that it must have;
  ///   what the state says.
  init(
    identity known: String?, bound: Int? = nil, in store: EventStore, logger: Logger, patience: Patience = Patience()
  ) throws {
    let state = store.state
    guard store.sharesState else {
      // Who keeps the state in its own file is alone.
      (number, identity, watch) = (0, known ?? UUID().uuidString, nil)
      return
    }
    var besides: Set<Int> = []
    if let known, let taken = try WriterList.take(known, bound: bound, in: state, at: WallClock.now) {
      if let hold = try Self.hold(taken, of: known, in: state, for: patience.start) {
        (number, identity) = (taken.number, known)
        watch = WriterWatch(hold, known, taken.number, state, patience, logger)
        return
      }
      besides.insert(taken.number)
      if bound == nil {
        logger.warning(
          "another collector runs with a copy of this data directory: this one takes a number of its own")
      }
    }
    guard bound == nil else { throw Self.isBound }
    for _ in 0..<Self.attempts {
      let name = UUID().uuidString
      guard let taken = try WriterList.take(name, besides: besides, in: state, at: WallClock.now) else {
        throw Self.isFull
      }
      if let hold = try Self.hold(taken, of: name, in: state, for: patience.fresh) {
        (number, identity) = (taken.number, name)
        watch = WriterWatch(hold, name, taken.number, state, patience, logger)
        return
      }
      besides.insert(taken.number)
    }
    throw CollectorError.telemetryUnusable(reason: "no number among its writers can be had: start it again")
  }

  private static let isFull = CollectorError.telemetryUnusable(
    reason:
      "\(WriterList.most) collectors write into it, which are as many as can: a number becomes free a day after its collector was last there"
  )

  private static let isBound = CollectorError.telemetryUnusable(
    reason: """
      another collector has the number of this data directory, by which what waits in its log is found: stop the one that runs with \
      a copy of it; where there is none, the number was given away, and what is in the folder “ingest” has to be moved away first
      """)

  /// - Returns: nil when somebody else has it all the time; then the number is not taken.
  private static func hold(
    _ taken: WriterList.Taken, of name: String, in state: any StateStore, for seconds: Double
  ) throws -> StateHold? {
    let end = ContinuousClock.now + .seconds(seconds)
    do {
      repeat {
        let work = WriterWatch.work(taken.number)
        if let hold = try waitFor({ try await state.hold(work) }) { return hold }
        Thread.sleep(forTimeInterval: 0.2)
      } while ContinuousClock.now < end
    } catch {
      try? WriterList.giveBack(taken, of: name, in: state, at: WallClock.now)
      throw error
    }
    try WriterList.giveBack(taken, of: name, in: state, at: WallClock.now)
    return nil
  }

  /// Why nothing may be taken in under it any more; nil while it is this collector's.
  var problem: String? { watch?.problem }

  /// Others may start with a copy of this directory from now on.
  func release() { watch?.release() }

  deinit { watch?.release() }
}
