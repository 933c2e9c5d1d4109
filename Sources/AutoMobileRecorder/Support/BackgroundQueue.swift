import AutoMobileSupport
import Dispatch

/// The SDK's queues for what nobody waits for.
///
/// They all lead to one, so that all of them can be held at once: while `initialize` runs, none of them wakes a thread.
/// Threads that begin map and touch memory, and the kernel has whoever else does that wait for them.
package enum BackgroundQueue {
  private static let all = DispatchQueue(
    label: "dev.jasonpearson.automobile.sdk.background", qos: .utility, attributes: .concurrent)

  /// Somebody is in a hurry: until when, on the clock of ``Clocks/uptimeMilliseconds()``; 0: nobody.
  private static let urgentUntil = AtomicWord()

  /// A serial queue.
  ///
  /// - Parameter name: what is done on it, in a word or two.
  package static func make(_ name: String) -> DispatchQueue {
    DispatchQueue(label: "dev.jasonpearson.automobile.sdk.\(name)", qos: .utility, target: all)
  }

  /// Does `body` in the background, on no queue in particular.
  package static func run(_ body: @escaping @Sendable () -> Void) { all.async(execute: body) }

  /// Lets nothing of all this begin before `body` returns, which must not wait for any of it.
  static func hold(during body: () -> Void) {
    all.suspend()
    defer { all.resume() }
    body()
  }

  /// What is handed to any of the queues from now on is done at the priority of what a user waits for: for so long at most, or until
  /// somebody says 0. Any thread.
  static func hurry(milliseconds: Int64) {
    let until = milliseconds <= 0 ? 0 : Clocks.uptimeMilliseconds().addingReportingOverflow(milliseconds).partialValue
    urgentUntil.store(UInt64(bitPattern: until))
  }

  static var isUrgent: Bool {
    let until = Int64(bitPattern: urgentUntil.value)
    return until != 0 && Clocks.uptimeMilliseconds() < until
  }
}
