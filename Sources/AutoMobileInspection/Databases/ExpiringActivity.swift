import AutoMobileRecorder
import Foundation

/// Work that is to be done before the system suspends the process.
enum ExpiringActivity {
  /// Does `body` on a queue, and has the system wait for that. Returns at once.
  static func run(_ reason: String, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    let done = DispatchSemaphore(value: 0)
    queue.async {
      body()
      done.signal()
    }
    ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpiring in
      // On a queue of the system's, which keeps the process awake as long as this runs.
      if !isExpiring { _ = done.wait(timeout: .now() + 5) }
    }
    #else
    queue.async(execute: body)
    #endif
  }
}
