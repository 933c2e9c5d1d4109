import AutoMobileCollector
import Foundation
import Logging
import NIOCore

/// Makes a collector, and says in plain words why it cannot.
enum CollectorServer {
  static func make(_ options: CollectorOptions, logger: Logger) async throws -> Collector {
    do {
      return try await Collector.open(options, logger: logger)
    } catch let error as CollectorError {
      throw failure(error)
    } catch {
      throw Failure(message: "The data in \(options.dataDirectory.path) cannot be opened: \(error)")
    }
  }

  /// What to say about an error that ended a collector.
  static func explained(_ error: any Error, host: String, port: Int) -> any Error {
    if let error = error as? CollectorError { return failure(error) }
    guard let error = error as? IOError else { return error }
    switch error.errnoCode {
    case EADDRINUSE:
      return Failure(
        kind: .unavailable, message: "Port \(port) is taken on \(host).",
        advice: "Is a collector running there already? Choose another with --port; 0 chooses a free one.")
    case EACCES:
      return Failure(
        kind: .unavailable, message: "Port \(port) may not be used.", advice: "Choose one above 1023 with --port.")
    case EADDRNOTAVAIL:
      return Failure(
        kind: .unavailable, message: "This machine has no address \(host).", advice: "0.0.0.0 is all of its addresses.")
    default: return Failure(message: "The collector stopped: \(error)")
    }
  }

  private static func failure(_ error: CollectorError) -> Failure {
    let advice: String? =
      switch error {
      case .keyRequired: "For example: openssl rand -hex 16 > key && chmod 600 key, then --ingest-key-file key"
      default: nil
      }
    return Failure(kind: .unavailable, message: "\(error)", advice: advice)
  }

  /// Logs to standard error, which leaves standard output to results.
  static func logger(level: Logger.Level) -> Logger {
    var logger = Logger(label: "automobile") { ConsoleLog(label: $0) }
    logger.logLevel = level
    return logger
  }

  /// How a browser on this machine gets there.
  static func viewer(host: String, port: Int, isSecure: Bool = false) -> String {
    let name = ["0.0.0.0", "::", "localhost"].contains(host) ? "127.0.0.1" : host
    return "http\(isSecure ? "s" : "")://\(name.contains(":") ? "[\(name)]" : name):\(port)/"
  }
}
