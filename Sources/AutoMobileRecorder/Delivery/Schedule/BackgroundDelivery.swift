import AutoMobileSupport
import Dispatch

/// Delivers what there is when the app leaves, in time that it asks the system for: else the process is suspended at once, and the
/// end of a session arrives with the next launch, or never.
package struct BackgroundDelivery: Sendable {
  /// Asks for time. Returns a closure that gives it back, for any thread; nil when there is none to be had.
  ///
  /// `onExpiration` is called when the time runs out: it has to be given back then.
  package typealias Begin = @Sendable (_ onExpiration: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?

  /// Whether anything may be sent: else there is nothing to ask time for.
  let isWanted: @Sendable () -> Bool
  let begin: Begin
  /// Runs something once those who hear of the app's leaving have recorded what they record of it.
  let afterwards: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Delivers now, and calls back once.
  let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void

  package init(
    isWanted: @escaping @Sendable () -> Bool = { true }, begin: @escaping Begin,
    afterwards: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.isWanted = isWanted
    self.begin = begin
    self.afterwards = afterwards
    self.deliver = deliver
  }

  #if !canImport(UIKit) || os(watchOS)
  /// Nobody is suspended here.
  package static let beginTask: Begin = { _ in nil }
  #endif

  /// The app leaves. On the thread that hears of it.
  package func run() {
    guard isWanted() else { return }
    let time = LentTime()
    time.lend(begin { time.giveBack() })
    afterwards { [deliver] in
      deliver { time.giveBack() }
    }
  }
}

/// Time that is given back once, whoever comes first: the delivery that is done, or the system that wants it back.
private final class LentTime: Sendable {
  private struct State {
    var giveBack: (@Sendable () -> Void)?
    var isOver = false
  }

  private let state = Locked(State())

  func lend(_ giveBack: (@Sendable () -> Void)?) {
    let isOver = state.withLock { state in
      if !state.isOver { state.giveBack = giveBack }
      return state.isOver
    }
    if isOver { giveBack?() }
  }

  func giveBack() {
    let giveBack = state.withLock { state in
      defer { state = State(isOver: true) }
      return state.giveBack
    }
    giveBack?()
  }
}
