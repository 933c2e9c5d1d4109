import AutoMobileJournal
import Foundation

/// How a ``ControlChannel`` works.
struct ControlOptions: Sendable {
  var bundleId: String?
  var launch: LaunchID
  var sdkVersion: String?
  /// Nil: one of the receivers on this machine, which ``simulator`` finds.
  var endpoint: DeliveryEndpoint?
  var simulator: SimulatorReceiver?
  /// For a receiver that is found.
  var apiKey: String?
  var cache: ControlCache
  /// What a collector may command; ``RemoteCommandAccess/none`` in a release build, whatever the app allows.
  var commands = RemoteCommandAccess.none
  /// At the start and when the app comes to the foreground, the collector is not asked within this time, in milliseconds.
  var checkInterval: Int64 = 60_000
  /// Between two requests that answers' headers ask for, in milliseconds.
  var namedInterval: Int64 = 1000
  /// Asked before each question; no: it is not put.
  var maySend: @Sendable () -> Bool = { true }
  /// Nothing is listened for in Low Power Mode.
  var isSavingPower: @Sendable () -> Bool = {
    #if canImport(Darwin)
    ProcessInfo.processInfo.isLowPowerModeEnabled
    #else
    false
    #endif
  }
  /// How long a collector may hold a question for commands, in seconds.
  var pollSeconds = 25
}

/// Whether a collector may have a debug build do something.
///
/// In a release build of the SDK nothing is asked for and nothing done, whatever this says.
public enum RemoteCommandAccess: String, Sendable, Codable {
  /// The app asks for no commands.
  case none
  /// Commands that only look at something.
  case readOnly
  /// Also commands that change something.
  case all
}

extension DeliveryEndpoint {
  /// A neighbour of `/sdk-events`.
  func url(_ name: String, _ query: [(String, String?)] = []) -> URL? {
    let base = events.deletingLastPathComponent().appendingPathComponent(name)
    guard var components = URLComponents(url: base, resolvingAgainstBaseURL: false) else { return nil }
    components.queryItems = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    // A plus sign in a query is a blank to many servers.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
    return components.url
  }
}
