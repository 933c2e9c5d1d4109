/// A request's URL, taken apart as far as requests are found and counted by it.
///
/// Recorded text can be anything: what is no URL becomes a path.
package struct RequestAddress: Equatable, Sendable {
  /// Without port and user; empty when there is none.
  package var host = ""
  /// Without the query.
  package var path = ""
  package var query: String?

  private static let maximumHost = 255
  private static let maximumPath = 1000

  package init(url: String) {
    var rest = Substring(url)
    if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...].prefix(Self.maximumPath))
      rest = rest[..<mark]
    }
    if let scheme = rest.range(of: "://") {
      rest = rest[scheme.upperBound...]
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      host = Self.host(rest[..<slash])
      rest = rest[slash...]
    }
    path = rest.isEmpty ? "/" : String(rest.prefix(Self.maximumPath))
  }

  private static func host(_ authority: Substring) -> String {
    var host = authority
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    if host.first == "[", let end = host.firstIndex(of: "]") {
      host = host[...end]
    } else if let colon = host.lastIndex(of: ":") {
      host = host[..<colon]
    }
    return String(host.prefix(maximumHost)).lowercased()
  }

  /// The path with the names of single things replaced, so that requests for many things count as one: numbers, UUIDs,
  /// hexadecimal digests, and what holds three digits or more (`R-2041`).
  package var pattern: String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let shown = segments.prefix(Self.maximumSegments).map { Self.isName(of: $0) ? ":id" : String($0.prefix(80)) }
    return shown.joined(separator: "/") + (segments.count > Self.maximumSegments ? "/…" : "")
  }

  private static let maximumSegments = 12

  private static func isName(of segment: Substring) -> Bool {
    var digits = 0
    var isHexadecimal = true
    for byte in segment.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): return false
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"): break
      default: isHexadecimal = false
      }
    }
    return digits >= 3 || digits > 0 && (digits == segment.utf8.count || isHexadecimal && segment.utf8.count >= 8)
  }
}
