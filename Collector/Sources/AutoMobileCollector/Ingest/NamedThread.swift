import Foundation

/// Starts a thread that does one thing, off the event loops and the threads of Swift's concurrency.
///
/// - Parameter name: as debuggers and `/proc` show it; at most 15 characters.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    // Before it runs, a thread's name is not passed on to the system.
    Thread.current.name = name
    body()
  }
}
