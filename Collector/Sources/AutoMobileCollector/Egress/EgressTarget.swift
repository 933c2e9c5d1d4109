import Foundation

/// A URL that somebody set, read once: nobody reads it again in another way.
struct EgressTarget: Sendable, Equatable {
  /// Written anew from its parts.
  let url: String
  let host: String
  let port: Int
  let isSecure: Bool

  static let longest = 2048

  /// - Parameter longest: in bytes; recorded URLs may be longer than those that somebody sets.
  /// - Throws: ``EgressError/refused(_:)``. What it says holds nothing of the URL but its host.
  init(_ text: String, longest: Int = longest) throws {
    guard text.utf8.count <= longest else { throw EgressError.refused("the URL is longer than \(longest) bytes") }
    // Before it is read: who reads it may encode it.
    if let host = Self.internationalHost(text) { _ = try EgressHost.normalized(host) }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme),
      // Not decoded: `xn--…` stays what it is.
      let written = parts.encodedHost, !written.isEmpty
    else { throw EgressError.refused("the URL must begin with https:// or http:// and a host") }
    guard parts.user == nil, parts.password == nil else {
      throw EgressError.refused("the URL contains credentials: use a token in its path, or a header")
    }
    // It is never sent.
    parts.fragment = nil
    host = try EgressHost.normalized(written)
    isSecure = scheme == "https"
    port = parts.port ?? (isSecure ? 443 : 80)
    // One that is too large for any number is read as none, and stays in the URL.
    guard (1...65535).contains(port), parts.port != nil || parts.rangeOfPort?.isEmpty != false else {
      throw EgressError.refused("the URL's port must be from 1 to 65535")
    }
    parts.scheme = scheme
    parts.encodedHost = host.contains(":") ? "[\(host)]" : host
    // The client looks for the host as this finds it.
    guard let url = parts.string, let read = URL(string: url)?.host,
      read == host || read == "[\(host)]"
    else { throw EgressError.refused("the host in the URL is written in an unusual form") }
    self.url = url
  }

  /// What stands between `//` and the path, when it has letters that are not ASCII.
  private static func internationalHost(_ text: String) -> String? {
    guard let start = text.range(of: "://")?.upperBound else { return nil }
    let place = text[start...].prefix { !"/?#\\".contains($0) }
    guard !place.utf8.allSatisfy({ $0 < 0x80 }), !place.contains("@") else { return nil }
    let port = place.lastIndex(of: ":").map { place[$0...].dropFirst() }
    let hasPort = port?.allSatisfy(\.isNumber) ?? false
    return String(hasPort ? place.prefix { $0 != ":" } : place)
  }
}
