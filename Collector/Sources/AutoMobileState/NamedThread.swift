import Foundation

/// Starts a thread that does one thing, off the event loops and the threads of Swift's concurrency.
///
/// It stands here because whoever starts threads imports this module: the stores of the state, the collector, and its program.
///
/// - Parameter name: as debuggers and `/proc` show it; Linux has room for 15 characters.
package func startThread(_ name: String? = nil, _ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    // Before it runs, a thread's name is not passed on to the system.
    if let name { Thread.current.name = name }
    body()
  }
}
