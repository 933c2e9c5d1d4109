import Foundation

/// The proxies whose word is taken for whom a request comes from: those that the operator named when it was started. What anybody else
/// says of that is not looked at.
public struct TrustedProxies: Sendable, Equatable {
  private let networks: [Network]

  private struct Network: Sendable, Equatable {
    var address: EgressAddress
    var length: Int
  }

  /// Nobody's word is taken.
  public static let none = TrustedProxies()

  private init() { networks = [] }

  /// - Parameter names: `127.0.0.1`, `10.1.0.0/16`, `fd00::/8`; an IPv4 address that is written into IPv6 is the IPv4 address.
  /// - Throws: ``InvalidName``.
  public init(_ names: [String]) throws {
    networks = try names.map { name in
      guard let network = Self.network(name) else { throw InvalidName(name: name) }
      return network
    }
  }

  public struct InvalidName: Error, CustomStringConvertible {
    var name: String
    public var description: String {
      "“\(name)” is neither an address (127.0.0.1, ::1) nor a network (10.1.0.0/16; not wider than /8, of IPv6 /7)"
    }
  }

  private static func network(_ name: String) -> Network? {
    guard let slash = name.firstIndex(of: "/") else {
      return EgressAddress(name).map { Network(address: $0, length: $0.bytes.count * 8) }
    }
    let (text, digits) = (String(name[..<slash]), name[name.index(after: slash)...])
    guard let address = EgressAddress(text), digits.allSatisfy(\.isNumber), var length = Int(digits) else { return nil }
    // `::ffff:10.0.0.0/104` is 10.0.0.0/8.
    if address.bytes.count == 4, text.contains(":") { length -= 96 }
    guard (address.bytes.count == 4 ? 8...32 : 7...128).contains(length) else { return nil }
    return Network(address: address, length: length)
  }

  var isEmpty: Bool { networks.isEmpty }

  func trusts(_ address: EgressAddress) -> Bool { networks.contains { address.isIn($0.address, $0.length) } }
}
