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
  static func address(_ addresses: [SocketAddressBytes], of host: String) throws -> String {
    let isLoopbackName = host == "localhost" || host == "127.0.0.1"
    for address in addresses {
      if let reason = address.refusal(isLoopbackName: isLoopbackName) {
        throw Refusal(reason: "\(host) is \(address.text): \(reason)")
      }
    }
    guard let first = addresses.first else { throw Refusal(reason: "\(host) has no address") }
    return first.text
  }
}

/// An address of IPv4 or IPv6, in the order of the network.
struct SocketAddressBytes: Sendable, Equatable {
  var bytes: [UInt8]

  /// Those of a host, as the system finds them. Waits for it.
  static func find(_ host: String) -> [SocketAddressBytes] {
    var hints = addrinfo()
    hints.ai_flags = AI_ADDRCONFIG
    #if os(Linux)
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
    hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [SocketAddressBytes] = []
    var next = list
    while let entry = next?.pointee {
      switch entry.ai_family {
      case AF_INET:
        entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
          withUnsafeBytes(of: address.pointee.sin_addr) { found.append(SocketAddressBytes(bytes: Array($0))) }
        }
      case AF_INET6:
        entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          withUnsafeBytes(of: address.pointee.sin6_addr) { found.append(SocketAddressBytes(bytes: Array($0))) }
        }
      default: break
      }
      next = entry.ai_next
    }
    return found
  }

  /// Reads one as people write it.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = bytes.withUnsafeBytes {
      inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &buffer, socklen_t(buffer.count))
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// An IPv4 address that is written as an IPv6 one: mapped, compatible, of NAT64 or 6to4.
  private var embedded: [UInt8]? {
    guard bytes.count == 16 else { return nil }
    let head = Array(bytes[..<12])
    if head == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] || head == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
      return Array(bytes[12...])
    }
    if head.allSatisfy({ $0 == 0 }), bytes[12] != 0 { return Array(bytes[12...]) }
    return bytes[0] == 0x20 && bytes[1] == 0x02 ? Array(bytes[2..<6]) : nil
  }

  func refusal(isLoopbackName: Bool) -> String? {
    let four = bytes.count == 4 ? bytes : embedded
    if let four {
      switch (four[0], four[1]) {
      case (127, _): return isLoopbackName ? nil : "this machine itself, which was not named"
      case (0, _): return "no address that anybody has"
      case (169, 254): return "link-local, where clouds give out credentials"
      case (100, 100) where four[2] == 100 && four[3] == 200: return "a metadata service of a cloud"
      case (168, 63) where four[2] == 129 && four[3] == 16: return "a metadata service of a cloud"
      case (224..., _): return "no address of one machine"
      default: return nil
      }
    }
    if bytes == Array(repeating: 0, count: 15) + [1] {
      return isLoopbackName ? nil : "this machine itself, which was not named"
    }
    if bytes.allSatisfy({ $0 == 0 }) { return "no address that anybody has" }
    if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return "link-local, where clouds give out credentials" }
    if bytes[0] == 0xFD, bytes[1] == 0x00, bytes[2] == 0x0E, bytes[3] == 0xC2 { return "a metadata service of a cloud" }
    if bytes[0] == 0xFF { return "no address of one machine" }
    return nil
  }
}
