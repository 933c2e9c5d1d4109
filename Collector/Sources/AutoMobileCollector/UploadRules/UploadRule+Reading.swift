// Rules as somebody wrote them. A rule that has something unknown in it is refused as a whole: without what is not understood it
// might send more than was meant.
extension UploadRule {
  private static let longestName = 80

  init(_ value: PlacedValue) throws(PlacedError) {
    guard case .object? = value.value else { throw value.error("expected an object with name, when and send") }
    let name = try value.member("name").text(maximumLength: Self.longestName)
    let named = value.named(name)
    try named.members(["name", "when", "send"])
    self.init(name: name, when: try UploadTrigger(named.member("when")), send: try UploadSpan(named.member("send")))
  }
}

extension UploadSpan {
  init(_ value: PlacedValue) throws(PlacedError) {
    try value.members(["minutesBefore", "minutesAfter", "perDay", "priority", "replay", "bodies"])
    let minutes = 0...Self.maximumMinutes
    // In this order, so that of two things that are wrong the SDK and this tell the same one.
    let perDay = try value.member("perDay").integer(in: 1...1000, default: 0)
    minutesBefore = try value.member("minutesBefore").number(in: minutes, default: minutesBefore)
    minutesAfter = try value.member("minutesAfter").number(in: minutes, default: minutesAfter)
    self.perDay = perDay == 0 ? nil : Int(perDay)
    priority = Int(try value.member("priority").integer(in: 0...9, default: Int64(priority)))
    replay = try value.member("replay").bool(default: replay)
    bodies = try value.member("bodies").bool(default: bodies)
  }
}

extension UploadTrigger {
  private static let names = [
    "crash", "hang", "unexpectedEnd", "handledFailure", "request", "rageTap", "deadTap", "slowLaunch", "frozenFrames",
    "log", "event", "capture", "sessions",
  ]
  /// A day.
  fileprivate static let milliseconds = 0...86_400_000.0

  init(_ value: PlacedValue) throws(PlacedError) {
    guard case .object(let members)? = value.value, members.count == 1, let name = members.keys.first,
      Self.names.contains(name)
    else { throw value.error("expected an object with one of \(Self.names.joined(separator: ", "))") }
    let content = try value.member(name)
    switch name {
    case "crash": try self.init(.crash, content)
    case "unexpectedEnd": try self.init(.unexpectedEnd, content)
    case "handledFailure": try self.init(.handledFailure, content)
    case "rageTap": try self.init(.rageTap, content)
    case "deadTap": try self.init(.deadTap, content)
    case "capture": try self.init(.capture, content)
    case "request": self = .request(try UploadRequest(content))
    case "event": self = .event(try UploadEvent(content))
    case "log":
      try content.members(["level", "tag"])
      let level = try Self.level(content.member("level"))
      self = .log(atLeast: level, tag: try content.member("tag").optionalText(maximumLength: 200))
    case "hang":
      try content.members(["atLeastMs"])
      self = .hang(atLeastMs: try content.member("atLeastMs").number(in: Self.milliseconds))
    case "slowLaunch":
      try content.members(["atLeastMs"])
      self = .slowLaunch(atLeastMs: try content.member("atLeastMs").number(in: Self.milliseconds))
    case "frozenFrames":
      try content.members(["atLeast"])
      self = .frozenFrames(atLeast: Int(try content.member("atLeast").integer(in: 1...100_000, default: 1)))
    default:
      try content.members(["fraction"])
      self = .sessions(fraction: try content.member("fraction").number(in: 0...1))
    }
  }

  /// One that has no numbers: `"crash": true`.
  private init(_ trigger: UploadTrigger, _ content: PlacedValue) throws(PlacedError) {
    guard content.value == .bool(true) else { throw content.error("expected true") }
    self = trigger
  }

  private static func level(_ value: PlacedValue) throws(PlacedError) -> Int {
    let name = try value.text(maximumLength: 20)
    guard let level = logLevels.firstIndex(of: name) else {
      throw value.error("expected one of \(logLevels.joined(separator: ", ")), found \"\(name)\"")
    }
    return level
  }
}

extension UploadRequest {
  init(_ value: PlacedValue) throws(PlacedError) {
    guard case .object(let members)? = value.value, !members.isEmpty else {
      throw value.error("expected an object that says which requests")
    }
    try value.members(["host", "path", "method", "status", "atLeastMs", "failed"])
    let failed = try value.member("failed")
    host = try value.member("host").optionalText(maximumLength: 255)
    pathPrefix = try value.member("path").optionalText(maximumLength: 500)
    method = try value.member("method").optionalText(maximumLength: 20)
    status = try Self.status(value.member("status"))
    atLeastMs = try value.member("atLeastMs").optionalNumber(in: UploadTrigger.milliseconds)
    self.failed = failed.value == nil ? nil : try failed.bool(default: true)
  }

  /// `404`, `"5xx"`, `"500-599"`.
  private static func status(_ value: PlacedValue) throws(PlacedError) -> ClosedRange<Int>? {
    let wrong = value.error("expected a status such as 404, \"5xx\" or \"500-503\"")
    switch value.value {
    case nil: return nil
    case .integer(let status)? where (100...999).contains(status): return Int(status)...Int(status)
    case .string(let text)? where text.utf8.count == 3 && text.hasSuffix("xx"):
      guard let hundreds = text.first?.wholeNumberValue, (1...9).contains(hundreds) else { throw wrong }
      return hundreds * 100...hundreds * 100 + 99
    case .string(let text)? where text.utf8.count == 7:
      let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard ends.count == 2, ends[0] >= 100, ends[1] <= 999, ends[0] <= ends[1] else { throw wrong }
      return ends[0]...ends[1]
    default: throw wrong
    }
  }
}

extension UploadEvent {
  /// The types that an SDK records: an app's own events are of these, too.
  static let types = Set(EventTypes.known).subtracting([EventTypes.breadcrumb]).union([UploadMatcher.summary])

  init(_ value: PlacedValue) throws(PlacedError) {
    guard case .object(let members)? = value.value, !members.isEmpty else {
      throw value.error("expected an object that says which events")
    }
    try value.members(["type", "name", "where"])
    type = try value.member("type").optionalText(maximumLength: 100)
    if let type, !Self.types.contains(type) {
      throw try value.member("type").error("\"\(type.prefix(40))\" is no type of events that is known here")
    }
    for condition in try value.member("where").elements(maximum: Self.maximumConditions) {
      conditions.append(try UploadCondition(condition))
    }
    name = try value.member("name").optionalText(maximumLength: 200)
    guard type != nil || name != nil || !conditions.isEmpty else {
      throw value.error("expected a type, a name or conditions")
    }
  }
}

extension UploadCondition {
  init(_ value: PlacedValue) throws(PlacedError) {
    let tests = ["equals", "contains", "atLeast", "atMost"]
    try value.members(["field"] + tests)
    field = try value.member("field").text(maximumLength: 200)
    guard case .object(let members)? = value.value, members.count == 2,
      let test = members.keys.first(where: { $0 != "field" })
    else { throw value.error("expected a field and one of \(tests.joined(separator: ", "))") }
    let content = try value.member(test)
    let numbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    switch test {
    case "contains": self.test = .contains(try content.text(maximumLength: 500))
    case "atLeast": self.test = .atLeast(try content.number(in: numbers))
    case "atMost": self.test = .atMost(try content.number(in: numbers))
    default:
      switch content.value {
      case .string(let text)? where text.utf8.count <= 500: self.test = .text(text)
      case .bool(let bool)?: self.test = .bool(bool)
      case .integer(let number)?: self.test = .number(Double(number))
      case .number(let number)?: self.test = .number(number)
      default: throw content.error("expected a text of at most 500 bytes, a number, true or false")
      }
    }
  }
}
