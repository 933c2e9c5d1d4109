import AutoMobileSupport
import Dispatch
import Foundation

/// The commands that this app answers, and who may give which.
///
/// A command runs on a queue of the registry's own, a few at a time, and no longer than it was given: then its caller is
/// told so, and what it returns later is forgotten.
package final class CommandRegistry: Sendable {
  /// Does the work and returns the answer, on a background queue. May block that, for as long as the command's timeout.
  ///
  /// - Throws: anything; its description is the answer.
  package typealias Handler = @Sendable (ControlCommand) throws -> MetadataValue

  private struct Entry {
    var changesSomething: Bool
    var handler: Handler
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var running = 0
  }

  /// Commands at one time. Whoever asks for more is told to wait.
  static let maximumRunning = 4
  /// The longest answer, in bytes of JSON.
  static let maximumResult = 512 * 1024

  private let access: RemoteCommandAccess
  private let state = Locked(State())
  private let queue = DispatchQueue(
    label: "dev.jasonpearson.automobile.sdk.commands", qos: .utility, attributes: .concurrent)

  init(access: RemoteCommandAccess) { self.access = access }

  var isOpen: Bool { access != .none }

  /// In order; what may not be called is not among them.
  var names: [String] {
    state.withLock { state in
      state.entries.filter { access == .all || !$0.value.changesSomething }.keys.ordered()
    }
  }

  /// Has a command answered by a closure. One of the same name that was there before is replaced.
  ///
  /// - Parameter changesSomething: it is refused when the app allows commands to look at something only.
  package func register(_ name: String, changesSomething: Bool, _ handler: @escaping Handler) {
    // What was there is released outside the lock.
    let old = state.withLock { state in
      state.entries.updateValue(Entry(changesSomething: changesSomething, handler: handler), forKey: name)
    }
    withExtendedLifetime(old) {}
  }

  /// Runs a command; `completion` is called once, on some queue, within the command's time.
  func run(_ command: ControlCommand, completion: @escaping @Sendable (CommandOutcome) -> Void) {
    enum Decision { case run(Handler), refuse(CommandOutcome) }
    let decision = state.withLock { state -> Decision in
      guard access != .none else {
        return .refuse(.failed(code: "not_allowed", message: "the app accepts no commands"))
      }
      guard let entry = state.entries[command.name] else {
        let known = state.entries.keys.ordered().joined(separator: ", ")
        return .refuse(
          .failed(code: "unknown_command", message: "there is no command “\(command.name)”; available: \(known)"))
      }
      guard access == .all || !entry.changesSomething else {
        return .refuse(.failed(code: "not_allowed", message: "the app does not allow commands that change something"))
      }
      guard state.running < Self.maximumRunning else {
        return .refuse(.failed(code: "busy", message: "\(Self.maximumRunning) commands are running: try again"))
      }
      state.running += 1
      return .run(entry.handler)
    }
    switch decision {
    case .refuse(let outcome): completion(outcome)
    case .run(let handler): start(command, handler, completion)
    }
  }

  private func start(
    _ command: ControlCommand, _ handler: @escaping Handler,
    _ completion: @escaping @Sendable (CommandOutcome) -> Void
  ) {
    let answered = Locked(false)
    @Sendable func answer(_ outcome: CommandOutcome) {
      let isFirst = answered.withLock { answered in
        defer { answered = true }
        return !answered
      }
      if isFirst { completion(outcome) }
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + command.timeout) {
      answer(.failed(code: "timeout", message: "it took longer than \(command.timeout) s"))
    }
    queue.async { [self] in
      let outcome: CommandOutcome
      do {
        outcome = .result(try handler(command))
      } catch let failure as CommandFailure {
        outcome = .failed(code: failure.code, message: failure.description)
      } catch let error as ControlError {
        outcome = .failed(code: "invalid_arguments", message: error.description)
      } catch {
        outcome = .failed(code: "failed", message: "\(error)")
      }
      // Only now: one that ran out of time still occupies its place.
      state.withLock { $0.running -= 1 }
      answer(outcome)
    }
  }
}
