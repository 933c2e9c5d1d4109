import ArgumentParser
import AutoMobileCollector

/// How much each key may have of a collector; 0: without a limit.
struct ServerRateOptions: ParsableArguments {
  @Option(help: "Requests a second that one key may make; 0: any number. Without it none on loopback, else 1000.")
  var keyRequests: Double?

  @Option(help: "Bytes a second that one key may deliver; 0: any number. Without it none on loopback, else 64 MB.")
  var keyBytes: Double?

  @Option(help: "Bytes a day (UTC) that one project's keys may deliver.")
  var projectDailyBytes: Int64?

  @Option(help: "Bytes a day (UTC) that one launch of an app may deliver.")
  var launchDailyBytes: Int64?

  @Option(help: "Bodies a second that one launch of an app may deliver.")
  var launchBodies: Double?

  func validate() throws {
    guard [keyRequests, keyBytes].allSatisfy({ $0.map { $0 == 0 || (0.1...1e12).contains($0) } ?? true }) else {
      throw ValidationError("--key-requests and --key-bytes must be 0, or from 0.1 to 1e12.")
    }
    guard launchBodies.map({ (0.1...1e12).contains($0) }) ?? true else {
      throw ValidationError("--launch-bodies must be from 0.1 to 1e12.")
    }
    guard [projectDailyBytes, launchDailyBytes].allSatisfy({ $0.map { $0 > 0 } ?? true }) else {
      throw ValidationError("--project-daily-bytes and --launch-daily-bytes must be more than 0.")
    }
  }

  func rates(isReachable: Bool) -> DeliveryRates {
    var rates = isReachable ? DeliveryRates.standard : .unlimited
    if let keyRequests { rates.requestsPerSecond = keyRequests == 0 ? nil : keyRequests }
    if let keyBytes { rates.bytesPerSecond = keyBytes == 0 ? nil : keyBytes }
    rates.projectBytesPerDay = projectDailyBytes
    rates.launchBytesPerDay = launchDailyBytes
    rates.launchBodiesPerSecond = launchBodies
    return rates
  }
}
