import Dispatch

/// The SDK's queues for what nobody waits for.
///
/// They all lead to one, so that all of them can be held at once: while `initialize` runs, none of them wakes a thread.
/// Threads that begin map and touch memory, and the kernel has whoever else does that wait for them.
enum BackgroundQueue {
  private static let all = DispatchQueue(
    label: "dev.jasonpearson.automobile.sdk.background", qos: .utility, attributes: .concurrent)

  /// A serial queue.
  ///
  /// - Parameter name: what is done on it, in a word or two.
  static func make(_ name: String) -> DispatchQueue {
    DispatchQueue(label: "dev.jasonpearson.automobile.sdk.\(name)", qos: .utility, target: all)
  }

  /// Does `body` in the background, on no queue in particular.
  static func run(_ body: @escaping @Sendable () -> Void) { all.async(execute: body) }

  /// Lets nothing of all this begin before `body` returns, which must not wait for any of it.
  static func hold(during body: () -> Void) {
    all.suspend()
    defer { all.resume() }
    body()
  }
}
