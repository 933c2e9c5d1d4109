/// Who is behind an address: what decides whether the collector may connect to it unasked.
extension EgressAddress {
  /// In the order of how much harm a connection there can do.
  enum Kind: Int, Comparable, Sendable {
    case everybody, inside, thisMachine, credentials, nobody

    static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }

    var words: String {
      switch self {
      case .everybody: "a public address"
      case .inside: "an address of a private network"
      case .thisMachine: "this machine itself"
      case .credentials: "link-local or a cloud's metadata service, which gives out credentials"
      case .nobody: "no address of one machine"
      }
    }
  }

  /// The worst of what it is and of the IPv4 address that is written into it.
  var kind: Kind {
    if bytes.count == 4 { return Self.kind(ofFour: bytes) }
    guard bytes.count == 16 else { return .nobody }
    return ([kindOfSix] + embedded.map(Self.kind(ofFour:))).max() ?? .nobody
  }

  /// RFC 6890 and the addresses at which clouds answer their machines.
  private static func kind(ofFour bytes: [UInt8]) -> Kind {
    switch (bytes[0], bytes[1]) {
    case (0, _), (224..., _): .nobody
    case (127, _): .thisMachine
    case (169, 254): .credentials
    case (100, 100) where bytes[2] == 100 && bytes[3] == 200: .credentials
    case (168, 63) where bytes[2] == 129 && bytes[3] == 16: .credentials
    case (192, 0) where bytes[2] == 0: .credentials
    case (10, _), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19): .inside
    default: .everybody
    }
  }

  private var kindOfSix: Kind {
    if bytes[..<15].allSatisfy({ $0 == 0 }) {
      return bytes[15] == 0 ? .nobody : bytes[15] == 1 ? .thisMachine : .everybody
    }
    switch (bytes[0], bytes[1]) {
    case (0xFF, _): return .nobody
    case (0xFE, 0x80...0xBF): return .credentials
    case (0xFE, 0xC0...0xFF): return .inside
    case (0xFD, 0x00) where bytes[2] == 0x0E && bytes[3] == 0xC2: return .credentials
    case (0xFD, 0x20) where bytes[2] == 0 && bytes[3] == 0xCE: return .credentials
    case (0xFC...0xFD, _): return .inside
    // NAT64 of a network's own (RFC 8215): what is behind it, only that network knows.
    case (0x00, 0x64) where starts(0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01): return .inside
    // 100::/64 is thrown away.
    case (0x01, 0x00) where bytes[2..<8].allSatisfy({ $0 == 0 }): return .nobody
    default: return .everybody
    }
  }

  private func starts(_ head: UInt8...) -> Bool { bytes.starts(with: head) }

  /// IPv4 addresses that are written into an IPv6 one, in each way in which a gateway may read them.
  private var embedded: [[UInt8]] {
    let last = Array(bytes[12...])
    var found: [[UInt8]] = []
    // Compatible; translated (RFC 2765); NAT64, its own prefix and a network's.
    if bytes[..<12].allSatisfy({ $0 == 0 }), last[..<3] != [0, 0, 0] { found.append(last) }
    if bytes[..<12].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0]) { found.append(last) }
    if starts(0x00, 0x64, 0xFF, 0x9B) { found.append(last) }
    // 6to4; Teredo, its server and its client, whose bits are turned round; ISATAP.
    if starts(0x20, 0x02) { found.append(Array(bytes[2..<6])) }
    if starts(0x20, 0x01, 0x00, 0x00) { found += [Array(bytes[4..<8]), last.map { ~$0 }] }
    if bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE { found.append(last) }
    return found
  }
}
