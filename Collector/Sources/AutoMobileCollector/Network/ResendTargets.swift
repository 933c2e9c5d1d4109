import Foundation

/// Where the collector may send recorded requests again: hosts that its operator named, and none otherwise.
///
/// A recorded URL comes from a stranger. So the host must be one that was named, its addresses are looked at before anything is
/// sent, and the connection goes to an address that was looked at. What gives out credentials to whoever asks from inside (link-local
/// addresses, clouds' metadata services) is refused, whatever was named; loopback is taken for a name of loopback only.
public struct ResendTargets: Sendable, Equatable {
  struct Refusal: Error, Equatable {
    var reason: String
  }

  /// As they were given: `api.staging.example.com`, `*.example.com`, `localhost:3000`.
  public let names: [String]

  static let none = ResendTargets()

  private init() { names = [] }

  /// - Throws: a text that says what is wrong with a name.
  public init(_ names: [String]) throws {
    for name in names where !Self.isName(name) {
      throw InvalidName(name: name)
    }
    self.names = names.map { $0.lowercased() }
  }

  public struct InvalidName: Error, CustomStringConvertible {
    var name: String
    public var description: String {
      "“\(name)” is no host: give one as api.staging.example.com, with a port as localhost:3000, or *.example.com for all below it"
    }
  }

  private static func isName(_ text: String) -> Bool {
    let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    // All below a top-level domain is everybody.
    guard parts.count <= 2, let host = parts.first, !text.hasPrefix("*.") || host.contains("."),
      (1...253).contains(host.utf8.count),
      parts.count == 1 || UInt16(parts[1]) != nil
    else { return false }
    return host.utf8.allSatisfy {
      Character(UnicodeScalar($0)).isASCII
        && (Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "-"))
    }
  }

  /// The host of a URL that may be asked.
  ///
  /// - Throws: ``Refusal``.
  func host(of url: String) throws -> String {
    guard !names.isEmpty else {
      throw Refusal(
        reason: "this collector does not resend requests; to allow a host: “automobile serve --resend-to HOST”")
    }
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme),
      let host = parts.host?.lowercased(), !host.isEmpty
    else { throw Refusal(reason: "only http and https requests can be resent") }
    guard parts.user == nil, parts.password == nil else { throw Refusal(reason: "its URL contains credentials") }
    let port = parts.port ?? (scheme == "https" ? 443 : 80)
    guard names.contains(where: { Self.matches($0, host: host, port: port) }) else {
      throw Refusal(
        reason:
          "\(host):\(port) is not a host that requests may be resent to; allowed: \(names.joined(separator: ", "))")
    }
    return host
  }

  private static func matches(_ name: String, host: String, port: Int) -> Bool {
    let parts = name.split(separator: ":")
    // Without a port: those that one would expect there.
    guard parts.count == 2 ? Int(parts[1]) == port : [80, 443].contains(port) else { return false }
    return parts[0].hasPrefix("*.") ? host.hasSuffix(parts[0].dropFirst()) : host == parts[0]
  }

  /// One of the addresses that a host has.
  ///
  /// - Throws: ``Refusal``, when one of them is such that nobody may ask it from here.
  static func address(_ addresses: [EgressAddress], of host: String) throws -> EgressAddress {
    let isLoopbackName = host == "localhost" || host == "127.0.0.1"
    for address in addresses where address.kind > (isLoopbackName ? .thisMachine : .inside) {
      throw Refusal(reason: "\(host) is \(address.text): \(address.kind.words)")
    }
    guard let first = addresses.first else { throw Refusal(reason: "\(host) has no address") }
    return first
  }
}
