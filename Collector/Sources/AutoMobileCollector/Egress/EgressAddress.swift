import Foundation

/// An address of IPv4 or IPv6, in the order of the network.
struct EgressAddress: Sendable, Equatable {
  /// 4 or 16.
  let bytes: [UInt8]

  /// - Parameter bytes: an IPv4 address that is mapped into IPv6 is the IPv4 address: that is where a connection goes.
  init(bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes[..<12].elementsEqual(Array(repeating: 0, count: 10) + [0xFF, 0xFF])
    self.bytes = isMapped ? Array(bytes[12...]) : bytes
  }

  /// Reads one as it is written by everybody: four decimal numbers, or IPv6. Neither `127.1` nor `0x7f000001` nor `[::1]`.
  init?(_ text: String) {
    // The system reads up to the first NUL, and would take what stands before it for the whole.
    guard !text.utf8.contains(0) else { return nil }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
  }

  var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = bytes.withUnsafeBytes {
      inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &buffer, socklen_t(buffer.count))
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Those of a host, as the system finds them. Waits for it.
  static func find(_ host: String) -> [EgressAddress] {
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
    var found: [EgressAddress] = []
    var next = list
    while let entry = next?.pointee {
      switch entry.ai_family {
      case AF_INET:
        entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
          withUnsafeBytes(of: address.pointee.sin_addr) { found.append(EgressAddress(bytes: Array($0))) }
        }
      case AF_INET6:
        entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          withUnsafeBytes(of: address.pointee.sin6_addr) { found.append(EgressAddress(bytes: Array($0))) }
        }
      default: break
      }
      next = entry.ai_next
    }
    return found
  }
}
