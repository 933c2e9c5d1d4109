import Foundation

/// Sockets on this machine.
enum Loopback {
  static func socket() -> Int32 {
    #if canImport(Glibc)
    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  /// Calls `body` with an address of this machine, which it may change.
  ///
  /// - Parameter port: 0: the system picks one.
  /// - Returns: what `body` says, and the port that the address has then.
  static func withAddress(
    port: Int = 0, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
  ) -> (isGood: Bool, port: Int) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isGood = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
    return (isGood, Int(UInt16(bigEndian: address.sin_port)))
  }
}
