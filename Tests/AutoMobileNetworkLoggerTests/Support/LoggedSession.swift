import AutoMobileNetworkLog
import Foundation

@testable import AutoMobileNetworkLogger
@testable import AutoMobileSDK

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session whose requests a logger records, until ``end()``.
final class LoggedSession {
  let logger: AutoMobileNetworkLogger
  let session: URLSession

  init(_ settings: NetworkLoggerConfiguration, sdk: AutoMobileSDK = .shared) {
    logger = AutoMobileNetworkLogger(sdk: sdk)
    logger.start(settings)
    let configuration = URLSessionConfiguration.ephemeral
    logger.register(in: configuration)
    session = URLSession(configuration: configuration)
  }

  func end() {
    session.invalidateAndCancel()
    logger.stop()
  }
}

extension NetworkLogDirectory {
  /// A directory of a test's own, which the test removes; with the switch on, or without one.
  static func temporary(isOn: Bool = true) throws -> NetworkLogDirectory {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("logger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let directory = NetworkLogDirectory(url)
    if isOn { try NetworkLogSwitch(directory).turnOn() }
    return directory
  }
}

extension NetworkLoggerConfiguration {
  /// With which a logger records, wherever the tests run.
  static func recording(into directory: NetworkLogDirectory) -> NetworkLoggerConfiguration {
    var configuration = NetworkLoggerConfiguration(directory)
    (configuration.isProduction, configuration.isAutomation) = (false, false)
    configuration.options.freeDiskFloor = 0
    return configuration
  }
}
