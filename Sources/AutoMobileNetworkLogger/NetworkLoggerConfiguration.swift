import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation

/// What the app says to its network log.
public struct NetworkLoggerConfiguration: Sendable {
  /// Where the log lies; nil (an app group that this program is no member of) keeps it off.
  public var directory: NetworkLogDirectory?
  /// Whether this is what customers get. Then the log is off, whatever the switch says; so it is unless the app says no.
  public var isProduction = true
  /// Whether automated tests drive the app: then the log is off. The environment variable `AUTOMATION` says so, and so does
  /// the compilation condition of that name.
  public var isAutomation = Automation.isOn
  /// How much is kept.
  public var options = NetworkLogOptions()
  /// What is replaced before anything is written. By default the credentials that HTTP and common frameworks know.
  public var redaction = HTTPRedaction.standard
  /// Names of headers that carry the id by which the app's services follow a request; the first that is there counts, of the
  /// request before the response.
  public var tracerHeaders: [String] = []
  /// Requests to these hosts are not recorded; one that begins with a dot stands for all hosts that end so.
  public var ignoredHosts: [String] = []

  public init(_ directory: NetworkLogDirectory?) { self.directory = directory }

  func ignores(_ host: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    return ignoredHosts.contains { ignored in
      let ignored = ignored.lowercased()
      return ignored.hasPrefix(".") ? host.hasSuffix(ignored) : host == ignored
    }
  }
}

/// Whether automated tests drive the app.
enum Automation {
  static var isOn: Bool {
    #if AUTOMATION
    return true
    #else
    return isOn(in: ProcessInfo.processInfo.environment)
    #endif
  }

  static func isOn(in environment: [String: String]) -> Bool {
    guard let value = environment["AUTOMATION"]?.lowercased() else { return false }
    return !["", "0", "no", "false"].contains(value)
  }
}
