import AutoMobileState
import CPostgres

/// Where the server is, and what must not be told of that.
struct PostgresAddress: Sendable {
  let url: String
  /// Without user and password.
  let place: String
  /// That stands beside the address.
  let password: String?
  /// Whether something secret stands in the address: a password, one of the key of a certificate, one of a service.
  let hasSecret: Bool
  private let secrets: [String]
  private static let secretWords: Set<String> = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]

  /// - Throws: ``StateError`` when libpq cannot read it.
  init(_ url: String, password: String? = nil) throws {
    try PostgresLibrary.load()
    guard !url.utf8.contains(0) else {
      throw StateError(.value, "the address of PostgreSQL has the character NUL in it")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = pq_conninfoParse(url, &message) else {
      defer { pq_freemem(message) }
      throw Self.unreadable(Self.withoutQuotes(message.map { String(cString: $0) } ?? "memory is short"))
    }
    defer { pq_conninfoFree(options) }
    var values: [String: String] = [:]
    var secrets: [String] = []
    var option = options
    // The last one has no keyword, whatever the header says.
    while let keyword = unsafeBitCast(option.pointee.keyword, to: UnsafeMutablePointer<CChar>?.self) {
      if let value = option.pointee.value.map({ String(cString: $0) }), !value.isEmpty {
        values[String(cString: keyword)] = value
        // What forms show as stars, and what newer versions of libpq have for programs alone.
        let isHidden = option.pointee.dispatch.pointee == CChar(UInt8(ascii: "*"))
        if isHidden || Self.secretWords.contains(String(cString: keyword)) { secrets.append(value) }
      }
      option += 1
    }
    // A password with such characters as they are is taken for parts of the rest, which is told.
    let told = ["host", "hostaddr", "port", "dbname"].compactMap { values[$0] }.joined(separator: " ")
    let isPort = (values["port"] ?? "").allSatisfy { $0.isASCII && ($0.isNumber || $0 == ",") }
    guard isPort, !told.contains("@") else {
      throw Self.unreadable("there is an @ where none can be, or a port that is no number")
    }
    self.url = url
    (self.password, hasSecret) = (password, !secrets.isEmpty)
    self.secrets = secrets + [password].compactMap { $0 }.filter { !$0.isEmpty }
    place = Self.place(values)
  }

  /// A text of libpq's or the server's on one line, without what is secret.
  func cleaned(_ text: String) -> String {
    var text = text.split { $0.isNewline }.map { $0.trimmingPrefix { $0.isWhitespace } }.joined(separator: "; ")
    for secret in secrets { text = text.replacing(secret, with: "…") }
    return text
  }

  private static func unreadable(_ reason: String) -> StateError {
    StateError(
      .value,
      """
      the address of PostgreSQL cannot be read: \(reason). It is to be like postgres://user:password@host:5432/database, with %XX \
      for characters of the password that are no letters or digits
      """)
  }

  private static func place(_ values: [String: String]) -> String {
    let hosts = (values["host"] ?? values["hostaddr"] ?? "localhost").split(
      separator: ",", omittingEmptySubsequences: false)
    let ports = (values["port"] ?? "5432").split(separator: ",", omittingEmptySubsequences: false)
    let servers = hosts.enumerated().map { index, host in
      let port = ports.count == hosts.count ? ports[index] : ports[0]
      return "\(host.contains(":") ? "[\(host)]" : String(host)):\(port.isEmpty ? "5432" : port)"
    }
    return "postgres://\(servers.joined(separator: ","))/\(values["dbname"] ?? values["user"] ?? "")"
  }

  /// What libpq quotes of an address that it cannot read may be a part of the password.
  private static func withoutQuotes(_ text: String) -> String {
    let text = text.split { $0.isNewline }.joined(separator: " ")
    guard let first = text.firstIndex(of: "\""), let last = text.lastIndex(of: "\""), first < last else { return text }
    return text[..<first] + "…" + text[text.index(after: last)...]
  }
}
