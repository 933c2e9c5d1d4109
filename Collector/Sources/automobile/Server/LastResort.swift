import AutoMobileState
import Foundation
import Logging
import ServiceLifecycle

/// Ends the process when an orderly stop takes longer than was promised. What has been acknowledged is in the ingest log,
/// and is indexed by the next run; so nothing is lost by it.
struct LastResort: Service {
  static let seconds = 10

  let logger: Logger

  func run() async throws {
    try await gracefulShutdown()
    // A thread of its own: whatever holds up the stop may hold up every other one.
    startThread("last-resort") { [logger] in
      Thread.sleep(forTimeInterval: Double(Self.seconds))
      logger.error("the collector did not stop in time and is being killed")
      _exit(EXIT_SUCCESS)
    }
  }
}
