import Foundation

extension Forwarder {
  private static let members: Set<String> = [
    "name", "url", "format", "gzip", "headers", "types", "level", "bundleId", "mostBehind", "paused", "fromBeginning",
  ]

  /// From a request's body.
  ///
  /// - Parameter before: the forwarder that is changed; what is not given stays.
  /// - Returns: it, and whether it begins with what there is already.
  /// - Throws: ``APIError`` that says which member is no good.
  static func read(_ body: JSONTree, before: Forwarder?) throws -> (forwarder: Forwarder, fromBeginning: Bool) {
    let fields = try JSONFields(body, named: "forwarder", allowed: members)
    try fields.noOthers()
    let url = try fields.required(url(fields) ?? before?.settings.url, "url")
    var settings = before?.settings ?? Settings(url: url)
    settings.headers = try headers(fields, url: url, before: before?.settings)
    settings.url = url
    if let word = try fields.text("format", longest: 20) {
      guard let format = OTLPFormat(rawValue: word) else { throw fields.invalid("format", "must be protobuf or json") }
      settings.format = format
    }
    settings.gzip = try fields.flag("gzip") ?? settings.gzip
    settings.isPaused = try fields.flag("paused") ?? settings.isPaused
    if let types = try fields.texts("types", most: 50, longest: 200) {
      settings.types = types.isEmpty ? nil : Set(types).sorted()
    }
    if let word = try fields.text("level", longest: 20) {
      guard let level = levels.firstIndex(of: word) else {
        throw fields.invalid("level", "must be one of \(levels.joined(separator: ", "))")
      }
      settings.level = Int64(level)
    }
    if let bundle = try fields.text("bundleId", longest: DataOwner.longestBundle) {
      settings.bundleId = bundle == "*" ? nil : bundle
    }
    if let most = try fields.integer("mostBehind", in: 0...1_000_000_000) {
      settings.mostBehind = most == 0 ? nil : Int64(most)
    }
    let fromBeginning = try fields.flag("fromBeginning") ?? false
    guard !fromBeginning || before == nil else {
      throw fields.invalid("fromBeginning", "is decided when a forwarder is added: add another one")
    }
    let host = try? EgressTarget(url).host
    let name = try fields.text("name", longest: 300) ?? before?.name ?? host ?? "receiver"
    guard name.count <= longestName else {
      throw fields.invalid("name", "must have 1 to \(longestName) characters")
    }
    var forwarder = before ?? Forwarder(name: name, settings: settings)
    (forwarder.name, forwarder.settings) = (name, settings)
    return (forwarder, fromBeginning)
  }

  private static func url(_ fields: JSONFields) throws -> String? {
    guard let text = try fields.text("url", longest: EgressTarget.longest - 20) else { return nil }
    let url: String
    do {
      url = try EgressTarget(text).url
    } catch {
      throw fields.invalid("url", "is no good: \(error)")
    }
    let path = URLComponents(string: url)?.path ?? ""
    if let signal = ForwardSignal.allCases.first(where: { path.hasSuffix($0.path) || path.hasSuffix($0.path + "/") }) {
      throw fields.invalid("url", "must be the receiver's base URL, without \(signal.path), which is added")
    }
    return url
  }

  /// Those that are known are not sent to another place than the one that they were given for.
  private static func headers(_ fields: JSONFields, url: String, before: Settings?) throws -> [String: String] {
    guard let given = try fields.pairs("headers", most: 20, longest: 4096) else {
      guard let before, !before.headers.isEmpty else { return [:] }
      guard let old = try? EgressTarget(before.url), let new = try? EgressTarget(url), old.host == new.host,
        old.port == new.port, old.isSecure == new.isSecure
      else {
        throw fields.invalid("headers", "must be given again when the URL leads to another place; {} for none")
      }
      return before.headers
    }
    var names: Set<String> = []
    for (name, value) in given {
      guard (1...100).contains(name.utf8.count), name.utf8.allSatisfy(isToken) else {
        throw fields.invalid("headers", "has a name that is none: letters, digits and hyphens")
      }
      guard !ours.contains(name.lowercased()) else { throw fields.invalid("headers", "cannot set \(name)") }
      guard names.insert(name.lowercased()).inserted else { throw fields.invalid("headers", "has \(name) twice") }
      guard !value.isEmpty, value.utf8.allSatisfy({ $0 < 0x7F }) else {
        throw fields.invalid("headers", "has no value for \(name), or one with other characters than those of ASCII")
      }
    }
    return given
  }

  private static let ours: Set<String> = [
    "host", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "te", "trailer",
    "upgrade", "expect", "user-agent", "keep-alive", "proxy-connection", "x-automobile-forwarder",
  ]

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Without what is secret: of the URL its host, of headers their names.
  func write(to json: inout JSONOutput) {
    json.member("id", id)
    json.member("name", name)
    json.member("url", settings.shownURL)
    json.member("format", settings.format.rawValue)
    json.member("gzip", settings.gzip)
    json.array("headers") { for name in settings.headers.keys.sorted() { $0.string(name) } }
    json.array("types") { for type in settings.types ?? [] { $0.string(type) } }
    json.member("level", Self.levels[Int(min(max(settings.level, 0), 5))])
    json.member("bundleId", settings.bundleId)
    json.member("mostBehind", settings.mostBehind)
    json.member("paused", settings.isPaused)
    json.member("changedAt", changedAt)
    json.member("changedBy", changedBy)
  }
}

extension Forwarder.Settings {
  /// Without what is behind the host, which may be a token.
  fileprivate var shownURL: String {
    guard var parts = URLComponents(string: url) else { return "…" }
    let isMore = parts.query != nil || !["", "/"].contains(parts.path)
    (parts.path, parts.query) = ("", nil)
    return (parts.string ?? "…") + (isMore ? "/…" : "")
  }
}
