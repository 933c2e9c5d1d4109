import Foundation

/// `host[:port]`, as a request's `Host` and a page's `Origin` have it (RFC 3986, section 3.2).
///
///     Authority("localhost:8765")   host "localhost", port 8765
///     Authority("[::1]")            host "::1", no port
///     Authority("localhost:evil")   nil
///
/// What decides about access must not guess: whatever is not exactly of this form, user names and percent signs
/// included, is none.
struct Authority: Sendable, Equatable {
  /// In lower case, without brackets; an IPv6 address in its shortest form.
  let host: String
  let port: Int?

  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count <= 300 else { return nil }
    let rest: ArraySlice<UInt8>
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), let address = Self.address(bytes[1..<end]) else {
        return nil
      }
      host = address
      rest = bytes[(end + 1)...]
    } else {
      let name = bytes.prefix { $0 != UInt8(ascii: ":") }
      guard !name.isEmpty, name.count <= 255, name.allSatisfy(Self.isNameByte) else { return nil }
      host = String(decoding: name, as: UTF8.self).lowercased()
      rest = bytes[name.endIndex...]
    }
    guard let colon = rest.first else {
      port = nil
      return
    }
    guard colon == UInt8(ascii: ":"), let port = Self.port(rest.dropFirst()) else { return nil }
    self.port = port
  }

  private static func port(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(String(decoding: digits, as: UTF8.self)), port <= 65535
    else { return nil }
    return port
  }

  private static func address(_ text: ArraySlice<UInt8>) -> String? {
    // No zone (`%eth0`): it means something on one machine only.
    guard text.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "%") }) else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1 else { return nil }
    var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &shortest, socklen_t(shortest.count)) != nil else { return nil }
    return String(decoding: shortest.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Names of hosts are letters, digits, hyphens and dots; some networks have underscores.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._".utf8.contains(byte)
    }
  }
}
