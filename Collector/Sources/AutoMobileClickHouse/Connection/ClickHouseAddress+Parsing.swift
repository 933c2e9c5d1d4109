import AutoMobileTLS

extension ClickHouseAddress {
  /// - Throws: ``ClickHouseError`` that says which part cannot be read, without what it says: it may be a secret.
  package init(_ text: String) throws {
    guard let colon = text.place(of: "://") else {
      throw Self.wrong("it begins with clickhouse:// or clickhouse+https://")
    }
    switch text[..<colon.lowerBound] {
    case "clickhouse": isSecure = false
    case "clickhouse+https": isSecure = true
    default: throw Self.wrong("it begins with clickhouse:// or clickhouse+https://")
    }
    var rest = text[colon.upperBound...]
    guard !rest.contains("#") else { throw Self.wrong("it has a #: write %23 for one in a name or password") }
    var query: Substring = ""
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    var path: Substring = ""
    // Behind the last @, which no host has: somebody may have forgotten to encode what is in a password.
    let authority = rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
    if let slash = rest[authority...].firstIndex(of: "/") {
      path = rest[rest.index(after: slash)...]
      rest = rest[..<slash]
    }
    if authority != rest.startIndex {
      let person = rest[..<rest.index(before: authority)]
      let parts = person.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = try Self.decoded(parts[0], "the user")
      if parts.count > 1 { password = try Self.decoded(parts[1], "the password") }
      guard !user.isEmpty else { throw Self.wrong("there is an @, and no user before it") }
      guard Self.isHeader(user), Self.isHeader(password) else {
        throw Self.wrong("user and password have no control characters")
      }
    }
    let port = isSecure ? 8443 : 8123
    hosts = try rest[authority...].split(separator: ",", omittingEmptySubsequences: false).map {
      try Self.host($0, port)
    }
    guard Set(hosts).count == hosts.count else { throw Self.wrong("a host is named twice") }
    guard !path.contains("/") else { throw Self.wrong("behind the hosts is the name of one database") }
    database = try Self.name(path.isEmpty ? "automobile" : Self.decoded(path, "the database"), "the database")
    for item in query.split(separator: "&") { try read(item) }
    if let problem = tls.problem(isSecure: isSecure) { throw Self.wrong(problem) }
  }

  private mutating func read(_ item: Substring) throws {
    let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = try parts.count == 2 ? Self.decoded(parts[1], "an option") : ""
    if let option = TLSFiles.Option(rawValue: String(parts[0])) {
      tls[option] = value
      return
    }
    switch parts[0] {
    case "cluster": cluster = try Self.name(value, "the cluster")
    case "timeout":
      guard let seconds = Int(value), (1...3600).contains(seconds) else {
        throw Self.wrong("timeout is a number of seconds from 1 to 3600")
      }
      timeout = .seconds(seconds)
    case "compression":
      guard ["gzip", "none"].contains(value) else { throw Self.wrong("compression is gzip or none") }
      isCompressed = value == "gzip"
    // Its name may be half of a password with a ? in it.
    default:
      throw Self.wrong(
        "options are cluster, timeout, compression, ca, tls-certificate and tls-key; write %3F for a ? in a password")
    }
  }

  private static func host(_ text: Substring, _ standardPort: Int) throws -> Host {
    var name = text
    var port = standardPort
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw wrong("an IPv6 address has no ]") }
      name = text[text.index(after: text.startIndex)..<end]
      let behind = text[text.index(after: end)...]
      guard name.contains(":"), name.allSatisfy({ $0.isASCII && ($0.isHexDigit || ":.%".contains($0)) }) else {
        throw wrong("between [ and ] is an IPv6 address")
      }
      if !behind.isEmpty {
        guard behind.first == ":" else { throw wrong("behind ] is a : and a port") }
        port = try self.port(behind.dropFirst())
      }
      return Host(String(name), port)
    }
    if let colon = text.firstIndex(of: ":") {
      name = text[..<colon]
      port = try self.port(text[text.index(after: colon)...])
    }
    guard !name.isEmpty else { throw wrong("a host has no name") }
    guard name.utf8.count <= 253, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) })
    else { throw wrong("a host's name has letters, digits, dots and hyphens") }
    return Host(name.lowercased(), port)
  }

  private static func port(_ text: Substring) throws -> Int {
    guard let port = Int(text), (1...65535).contains(port), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw wrong("a port is a number from 1 to 65535")
    }
    return port
  }

  private static func name(_ text: String, _ what: String) throws -> SQLName {
    do { return try SQLName(checking: text) } catch { throw wrong("\(what) has a name of 1 to 200 bytes") }
  }

  private static func isHeader(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 32 && $0 != 127 } }

  private static func decoded(_ text: some StringProtocol, _ what: String) throws -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
        throw wrong("\(what) has a % without two hexadecimal digits: write %25 for one")
      }
      bytes.append(high << 4 | low)
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    guard decoded.utf8.elementsEqual(bytes) else { throw wrong("\(what) is no UTF-8") }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func wrong(_ message: String) -> ClickHouseError {
    ClickHouseError(.address, "the address cannot be read: \(message)")
  }
}
