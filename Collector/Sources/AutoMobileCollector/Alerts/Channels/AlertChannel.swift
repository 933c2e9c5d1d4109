import Foundation

/// Where alerts go.
struct AlertChannel: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    case webhook, slack, discord, teams, pagerduty, mail
  }

  var id: Int64 = 0
  var name: String
  var kind: Kind
  var settings: Settings
  var changedAt: Int64 = 0
  var changedBy = ""

  /// Kept as JSON in the index, whose file only the collector's user can read.
  struct Settings: Sendable, Equatable, Codable {
    /// Of webhooks. Often secret itself: whoever knows it can write there.
    var url: String?
    /// Webhooks are signed with it: `whsec_` and base64.
    var secret: String?
    /// PagerDuty's integration key.
    var routingKey: String?
    var mail: Mail?
  }

  /// Of mail.
  struct Mail: Sendable, Equatable, Codable {
    enum Security: String, Sendable, Codable, CaseIterable {
      case starttls, tls, none
    }

    var host: String
    var port: Int
    var security = Security.starttls
    var user: String?
    var password: String?
    /// Whether the password may go over a connection that is not encrypted.
    var allowsPlainPassword = false
    var from: String
    var to: [String]
  }

  static let most = 50
  static let pagerDuty = "https://events.pagerduty.com/v2/enqueue"

  /// What must not be shown or logged, redacted to its last four characters.
  static func redacted(_ secret: String) -> String { secret.count < 12 ? "…" : "…" + secret.suffix(4) }

  /// A URL without what is behind its host.
  static func redacted(url: String) -> String {
    guard let target = try? EgressTarget(url) else { return "…" }
    let end = target.isSecure && target.port == 443 || !target.isSecure && target.port == 80 ? "" : ":\(target.port)"
    let host = target.host.contains(":") ? "[\(target.host)]" : target.host
    return "\(target.isSecure ? "https" : "http")://\(host)\(end)/\(redacted(url))"
  }
}
