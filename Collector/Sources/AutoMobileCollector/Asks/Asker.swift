import HTTPTypes
import Hummingbird

/// Whom an app that asks for its configuration says it is, where it keeps what it records: then it is told what is asked of it.
struct Asker: Sendable, Hashable {
  var session: String?
  var user: String?
  /// The installation, by its anonymous id.
  var device: String?
  var version: String?

  /// `session=…&user=…&device=…&version=…`, each percent-encoded. In a field of its own: addresses are written down by proxies.
  static let header = HTTPField.Name("X-AutoMobile-Asker")
  /// Longer ones say nothing.
  static let longest = 8 << 10

  init?(_ request: Request) { self.init(Self.header.flatMap { request.headers[$0] }) }

  init(session: String? = nil, user: String? = nil, device: String? = nil, version: String? = nil) {
    (self.session, self.user, self.device, self.version) = (session, user, device, version)
  }

  /// Nil when it says nothing that can be read. What is not known is passed over.
  init?(_ text: String?) {
    guard let text, text.utf8.count <= Self.longest else { return nil }
    for part in text.split(separator: "&").prefix(16) {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding,
        (1...AskRules.longestSubject).contains(value.utf8.count)
      else { continue }
      switch pair[0] {
      case "session": session = value
      case "user": user = value
      case "device": device = value
      case "version": version = value
      default: break
      }
    }
    guard self != Asker() else { return nil }
  }
}
