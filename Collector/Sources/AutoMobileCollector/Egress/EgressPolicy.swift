import Foundation

/// Where the collector may connect to by itself: with webhooks, mail and forwarders.
///
/// Public addresses, and what the operator named when it was started. Everything else (private networks, this machine,
/// link-local and metadata addresses) is refused, whatever a name says: settings come over the network, and a name's addresses
/// come from whoever owns it.
public struct EgressPolicy: Sendable, Equatable {
  /// As they were given.
  public let names: [String]
  private let rules: [Rule]

  /// Public addresses only.
  public static let standard = EgressPolicy()

  private init() { (names, rules) = ([], []) }

  /// - Parameter names: `hooks.example.com`, `*.example.com`, `localhost:9000`, `10.1.2.3:443`, `[::1]:25`, `10.1.0.0/16`;
  ///   without a port: every port. A name allows private addresses, and this machine only when it is `localhost`; link-local
  ///   and metadata addresses must be written as addresses.
  /// - Throws: ``InvalidName``.
  public init(_ names: [String]) throws {
    self.names = names
    rules = try names.map { name in
      guard let rule = Rule(name) else { throw InvalidName(name: name) }
      return rule
    }
  }

  public struct InvalidName: Error, CustomStringConvertible {
    var name: String
    public var description: String {
      "“\(name)” is neither a host (hooks.example.com, *.example.com, localhost:9000, 10.1.2.3:443, [::1]:25) nor a network "
        + "(10.1.0.0/16; not wider than /8, of IPv6 /7)"
    }
  }

  /// One of a host's addresses, when all of them may be connected to.
  ///
  /// - Throws: ``EgressError``.
  func address(_ addresses: [EgressAddress], of host: String, port: Int) throws -> EgressAddress {
    for address in addresses where !isAllowed(address, host: host, port: port) {
      let what = address.text == host ? host : "\(host) is \(address.text):"
      let shown = host.contains(":") ? "[\(host)]" : host
      let advice =
        address.kind == .nobody ? "" : "; to allow it, start the collector with --allow-egress \(shown):\(port)"
      throw EgressError.refused("\(what) \(address.text == host ? "is " : "")\(address.kind.words)\(advice)")
    }
    guard let first = addresses.first else { throw EgressError.noAddress("\(host) has no address") }
    return first
  }

  private func isAllowed(_ address: EgressAddress, host: String, port: Int) -> Bool {
    switch address.kind {
    case .everybody: return true
    case .nobody: return false
    case .inside, .thisMachine, .credentials: break
    }
    return rules.contains { rule in
      guard rule.port == nil || rule.port == port else { return false }
      switch rule.what {
      case .network(let network, let length): return address.isIn(network, length)
      case .name(let name, let isSuffix):
        guard isSuffix ? host.hasSuffix("." + name) : host == name else { return false }
        return address.kind == .inside || address.kind == .thisMachine && host == "localhost"
      }
    }
  }

  /// One of ``names``, read.
  private struct Rule: Sendable, Equatable {
    enum What: Sendable, Equatable {
      case network(EgressAddress, Int)
      case name(String, isSuffix: Bool)
    }

    var what: What
    var port: Int?

    init?(_ text: String) {
      if let slash = text.firstIndex(of: "/") {
        guard let address = EgressAddress(String(text[..<slash])), let length = Int(text[text.index(after: slash)...]),
          (address.bytes.count == 4 ? 8...32 : 7...128).contains(length)
        else { return nil }
        what = .network(address, length)
        return
      }
      if let address = EgressAddress(text) {
        what = .network(address, address.bytes.count * 8)
        return
      }
      var host = text[...]
      if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
        guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
        self.port = Int(port)
        host = text[..<colon]
      }
      let isSuffix = host.hasPrefix("*.")
      guard let name = try? EgressHost.normalized(String(isSuffix ? host.dropFirst(2) : host)) else { return nil }
      if let address = EgressAddress(name) {
        guard !isSuffix else { return nil }
        what = .network(address, address.bytes.count * 8)
      } else {
        // All below a top-level domain is everybody.
        guard !isSuffix || name.contains(".") else { return nil }
        what = .name(name, isSuffix: isSuffix)
      }
    }
  }
}

extension EgressAddress {
  /// Whether the first bits are those of a network.
  func isIn(_ network: EgressAddress, _ length: Int) -> Bool {
    guard network.bytes.count == bytes.count else { return false }
    for index in bytes.indices {
      let bits = min(max(length - index * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
      if (bytes[index] ^ network.bytes[index]) & mask != 0 { return false }
    }
    return true
  }
}
