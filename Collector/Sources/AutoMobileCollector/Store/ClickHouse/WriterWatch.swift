import AutoMobileState
import Logging
import NIOConcurrencyHelpers

/// Keeps a collector's number while it runs. The lock hangs on a connection: when that is lost, it is taken again as soon as the state
/// answers. Where somebody else has it by then, or the number was given away, nothing may be taken in under it any more.
final class WriterWatch: Sendable {
  private struct Contents {
    /// Nil: released.
    var hold: StateHold?
    var problem: String?
    var task: Task<Void, Never>?
  }

  private let contents: NIOLockedValueBox<Contents>

  /// How often it is said that the number is in use.
  private static let beat: Duration = .seconds(3600)

  static func work(_ number: Int) -> StateWork { StateWork("telemetry writer \(number)") }

  init(
    _ hold: StateHold, _ identity: String, _ number: Int, _ state: any StateStore, _ patience: WriterNumber.Patience,
    _ logger: Logger
  ) {
    let contents = NIOLockedValueBox(Contents(hold: hold))
    self.contents = contents
    let task = Task { await Self.watch(contents, identity, number, state, patience, logger) }
    contents.withLockedValue { $0.task = task }
  }

  /// Nil: all is well, as far as is known.
  var problem: String? { contents.withLockedValue { $0.problem } }

  func release() {
    let (hold, task) = contents.withLockedValue { contents in
      defer { (contents.hold, contents.task) = (nil, nil) }
      return (contents.hold, contents.task)
    }
    task?.cancel()
    hold?.release()
  }

  private static func watch(
    _ contents: NIOLockedValueBox<Contents>, _ identity: String, _ number: Int, _ state: any StateStore,
    _ patience: WriterNumber.Patience, _ logger: Logger
  ) async {
    var said = ContinuousClock.now
    var strange: ContinuousClock.Instant?
    var isNews = false
    while true {
      do { try await Task.sleep(for: .seconds(patience.look)) } catch { return }
      guard let hold = contents.withLockedValue({ $0.hold }) else { return }
      do {
        if hold.isHeld {
          strange = nil
        } else if let again = try await state.hold(work(number)) {
          guard keep(again, contents) else { return again.release() }
          (strange, isNews) = (nil, true)
        } else {
          let since = strange ?? .now
          strange = since
          if ContinuousClock.now - since > .seconds(patience.lost) {
            return lose("another collector runs with a copy of this one's data directory", contents, logger)
          }
        }
        guard isNews || ContinuousClock.now - said >= beat else { continue }
        guard try await WriterList.see(identity, number, in: state) else {
          return lose("its number was given to another one, since nothing was heard of it for a day", contents, logger)
        }
        (said, isNews) = (.now, false)
      } catch {
        // The state is away: it is looked at again. What comes meanwhile is taken in.
      }
    }
  }

  /// - Returns: false when it has been released meanwhile.
  private static func keep(_ hold: StateHold, _ contents: NIOLockedValueBox<Contents>) -> Bool {
    contents.withLockedValue { contents in
      guard contents.hold != nil else { return false }
      contents.hold = hold
      return true
    }
  }

  private static func lose(_ reason: String, _ contents: NIOLockedValueBox<Contents>, _ logger: Logger) {
    logger.critical("this collector takes nothing in any more: start it again", metadata: ["reason": "\(reason)"])
    contents.withLockedValue { $0.problem = "\(reason): this collector takes nothing in until it is started again" }
  }
}
