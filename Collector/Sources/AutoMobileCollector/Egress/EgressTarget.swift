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
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme),
      let written = parts.host, !written.isEmpty
    else { throw EgressError.refused("the URL must begin with https:// or http:// and a host") }
    guard parts.user == nil, parts.password == nil else {
      throw EgressError.refused("the URL contains credentials: use a token in its path, or a header")
    }
    // It is never sent.
    parts.fragment = nil
    host = try EgressHost.normalized(written)
    isSecure = scheme == "https"
    port = parts.port ?? (isSecure ? 443 : 80)
    guard (1...65535).contains(port) else { throw EgressError.refused("the URL's port must be from 1 to 65535") }
    parts.scheme = scheme
    parts.host = host.contains(":") ? "[\(host)]" : host
    // The client looks for the host as this finds it.
    guard let url = parts.string, let read = URL(string: url)?.host,
      read == host || read == "[\(host)]"
    else { throw EgressError.refused("the host in the URL is written in an unusual form") }
    self.url = url
  }
}
