import Foundation
import HTTPTypes
import Hummingbird

/// The cookie that says who a browser's requests are from.
///
/// No script reads it (`HttpOnly`), and no other site's request carries it (`SameSite=Strict`: the viewer's page itself needs
/// nobody to be signed in, and what it asks comes from its own site, however one got to the page).
struct SessionCookie: Sendable {
  /// How people get to the viewer, when it is not plain HTTP: then the cookie travels over TLS only, and no other host or
  /// path can set one of its name.
  private let isSecure: Bool

  /// - Parameter speaksTLS: the collector does it itself.
  init(publicURL: String?, speaksTLS: Bool = false) {
    isSecure = speaksTLS || publicURL?.lowercased().hasPrefix("https://") ?? false
  }

  /// Also when a trusted proxy says so: what others said is not in the request any more.
  private func isSecure(_ request: Request) -> Bool { isSecure || request.headers[.xForwardedProto] == "https" }

  /// Browsers do not tell ports apart: without the number, two collectors on one machine would sign each other's people out.
  func name(for request: Request) -> String {
    if isSecure(request) { return "__Host-automobile" }
    let port = request.head.authority.flatMap { Authority($0)?.port }
    return port.map { "automobile-\($0)" } ?? "automobile"
  }

  /// What the request's cookie holds. Two of one name are none: somebody may have put one beside it.
  func secret(in request: Request) -> SignInSecret? {
    let values = Self.values(of: name(for: request), in: request)
    return values.count == 1 ? SignInSecret(values[0]) : nil
  }

  func set(_ secret: SignInSecret, seconds: Double, for request: Request) -> String {
    "\(name(for: request))=\(secret.text); \(attributes(request)); Max-Age=\(Int(seconds))"
  }

  func clear(for request: Request) -> String { "\(name(for: request))=; \(attributes(request)); Max-Age=0" }

  private func attributes(_ request: Request) -> String {
    "Path=/; HttpOnly; SameSite=Strict" + secure(request)
  }

  func secure(_ request: Request) -> String { isSecure(request) ? "; Secure" : "" }

  /// Values of the cookies of a name, in the order in which they came.
  static func values(of name: String, in request: Request) -> [String] {
    values(of: name, in: request.headers[values: .cookie])
  }

  static func values(of name: String, in fields: [String]) -> [String] {
    fields.flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.trimmingCharacters(in: .whitespaces)
      guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { return nil }
      return String(pair[pair.index(after: equals)...])
    }
  }
}
