import Foundation

/// What may stand in the section `mocks`: rules by which debug builds of an app answer requests themselves. As strict as the
/// SDK, which refuses all rules when one of them is wrong.
enum MockRules {
  static let maximumRules = 64
  static let maximumRegex = 512

  /// - Throws: ``APIError`` that names the member.
  static func check(_ section: JSONTree) throws {
    guard case .array(let rules) = section else { throw invalid("mocks", "an array of rules") }
    guard rules.count <= maximumRules else { throw invalid("mocks", "at most \(maximumRules) rules") }
    var ids: Set<String> = []
    for (index, rule) in rules.enumerated() {
      let place = "mocks[\(index)]"
      let members = try object(rule, place, required: true)
      guard let id = members["id"]?.string, (1...128).contains(id.utf8.count) else {
        throw invalid("\(place).id", "a name of 1 to 128 bytes")
      }
      guard ids.insert(id).inserted else { throw invalid("\(place).id", "one that no other rule has: \(id)") }
      try checkMatch(members["match"], "\(place).match")
      try checkResponse(members["respond"], "\(place).respond")
      try integer(members["count"], "\(place).count", 1...1_000_000_000)
      try integer(members["expiresAt"], "\(place).expiresAt", 0...4_503_599_627_370_496)
    }
  }

  private static func checkMatch(_ match: JSONTree?, _ place: String) throws {
    let members = try object(match, place)
    try text(members["method"], "\(place).method", 32)
    try text(members["host"], "\(place).host", 256)
    try text(members["bodyContains"], "\(place).bodyContains", 4096)
    try texts(members["headers"], "\(place).headers", 32)
    guard case .object(let path)? = members["path"] else { return try text(members["path"], "\(place).path", 1024) }
    try text(path["regex"], "\(place).path.regex", maximumRegex)
    guard let pattern = path["regex"]?.string, !pattern.isEmpty, (try? NSRegularExpression(pattern: pattern)) != nil
    else { throw invalid("\(place).path.regex", "a regular expression") }
  }

  private static func checkResponse(_ respond: JSONTree?, _ place: String) throws {
    let members = try object(respond, place, required: true)
    try integer(members["delayMs"], "\(place).delayMs", 0...120_000)
    if let passthrough = members["passthrough"], !passthrough.isNull {
      guard let bool = passthrough.bool else { throw invalid("\(place).passthrough", "true or false") }
      if bool { return }
    }
    if let failure = members["failure"], !failure.isNull {
      guard let name = failure.string, failures.contains(name) else {
        throw invalid("\(place).failure", "one of \(failures.joined(separator: ", "))")
      }
      return
    }
    guard let status = members["status"]?.integer, (200...599).contains(status) else {
      throw invalid("\(place).status", "from 200 to 599, unless there is a failure or passthrough")
    }
    try texts(members["headers"], "\(place).headers", 64)
    try text(members["body"], "\(place).body", ConfigurationRules.maximumSize)
    try checkEncoding(members, place)
  }

  private static func checkEncoding(_ members: [String: JSONTree], _ place: String) throws {
    guard let encoding = members["bodyEncoding"], !encoding.isNull else { return }
    guard encoding.string == "base64" else { throw invalid("\(place).bodyEncoding", "base64, or left out") }
    guard Data(base64Encoded: members["body"]?.string ?? "") != nil else { throw invalid("\(place).body", "base64") }
  }

  /// As the SDK knows them, by the names of `URLError.Code`.
  static let failures = [
    "badServerResponse", "cancelled", "cannotConnectToHost", "cannotFindHost", "cannotParseResponse", "dataNotAllowed",
    "dnsLookupFailed", "httpTooManyRedirects", "internationalRoamingOff", "networkConnectionLost",
    "notConnectedToInternet", "resourceUnavailable", "secureConnectionFailed", "serverCertificateHasBadDate",
    "serverCertificateHasUnknownRoot", "serverCertificateUntrusted", "timedOut", "unknown",
  ]

  private static func object(
    _ value: JSONTree?, _ place: String, required: Bool = false
  ) throws -> [String: JSONTree] {
    if case .object(let members)? = value { return members }
    guard !required, value?.isNull ?? true else { throw invalid(place, "an object") }
    return [:]
  }

  private static func text(_ value: JSONTree?, _ place: String, _ maximum: Int) throws {
    guard let value, !value.isNull else { return }
    guard let text = value.string, text.utf8.count <= maximum else {
      throw invalid(place, "a text of at most \(maximum) bytes")
    }
  }

  private static func texts(_ value: JSONTree?, _ place: String, _ maximum: Int) throws {
    let members = try object(value, place)
    guard members.count <= maximum else { throw invalid(place, "an object of at most \(maximum) members") }
    for (name, value) in members {
      guard let text = value.string, text.utf8.count <= 8192 else { throw invalid("\(place).\(name)", "a text") }
    }
  }

  private static func integer(_ value: JSONTree?, _ place: String, _ bounds: ClosedRange<Int64>) throws {
    guard let value, !value.isNull else { return }
    guard let integer = value.integer, bounds.contains(integer) else {
      throw invalid(place, "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
  }

  private static func invalid(_ what: String, _ expected: String) -> APIError {
    APIError.badRequest("invalid_configuration", "\(what) must be \(expected)")
  }
}
