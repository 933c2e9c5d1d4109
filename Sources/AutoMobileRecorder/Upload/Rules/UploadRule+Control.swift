// Rules as a collector writes them. A rule that has something unknown in it is refused as a whole: without what is not understood it
// might send more than was meant.
extension UploadRule {
  init(_ value: ControlValue) throws {
    guard case .object? = value.value else {
      throw ControlError("\(value.path): expected an object with name, when and send")
    }
    let name = try value.member("name").text(maximumLength: Self.longestName)
    // From here on what is wrong is told with the rule's name, too.
    let named = ControlValue("\(value.path) (\"\(name)\")", value.value)
    try named.members(["name", "when", "send"])
    self.init(name, when: try UploadTrigger(named.member("when")), send: try UploadSpan(named.member("send")))
  }
}

extension UploadSpan {
  init(_ value: ControlValue) throws {
    try value.members(["minutesBefore", "minutesAfter", "perDay", "priority", "replay", "bodies"])
    let standard = UploadSpan()
    let minutes = 0...Self.maximumMinutes
    let perDay = try value.member("perDay").integer(in: 1...1000, default: 0)
    self.init(
      minutesBefore: try value.member("minutesBefore").number(in: minutes, default: standard.minutesBefore),
      minutesAfter: try value.member("minutesAfter").number(in: minutes, default: standard.minutesAfter),
      perDay: perDay == 0 ? nil : Int(clamping: perDay),
      priority: Int(
        clamping: try value.member("priority").integer(in: 0...9, default: Int64(clamping: standard.priority))),
      replay: try value.member("replay").bool(default: standard.replay),
      bodies: try value.member("bodies").bool(default: standard.bodies))
  }
}

extension UploadTrigger {
  private static let names = [
    "crash", "hang", "unexpectedEnd", "handledFailure", "request", "rageTap", "deadTap", "slowLaunch", "frozenFrames",
    "log", "event", "capture", "sessions",
  ]
  /// A day, in milliseconds.
  fileprivate static let milliseconds = 0...86_400_000.0

  init(_ value: ControlValue) throws {
    guard case .object(let members)? = value.value, members.count == 1, let name = members.keys.first,
      Self.names.contains(name)
    else {
      throw ControlError("\(value.path): expected an object with one of \(Self.names.joined(separator: ", "))")
    }
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
      self = .log(
        atLeast: try LogLevel(content.member("level")), tag: try content.member("tag").optionalText(maximumLength: 200))
    case "hang":
      try content.members(["atLeastMs"])
      self = .hang(atLeastMs: try content.member("atLeastMs").number(in: Self.milliseconds))
    case "slowLaunch":
      try content.members(["atLeastMs"])
      self = .slowLaunch(atLeastMs: try content.member("atLeastMs").number(in: Self.milliseconds))
    case "frozenFrames":
      try content.members(["atLeast"])
      self = .frozenFrames(atLeast: Int(clamping: try content.member("atLeast").integer(in: 1...100_000, default: 1)))
    default:
      try content.members(["fraction"])
      self = .sessions(fraction: try content.member("fraction").number(in: 0...1))
    }
  }

  /// One that has no numbers: `"crash": true`.
  private init(_ trigger: UploadTrigger, _ content: ControlValue) throws {
    guard content.value == .bool(true) else { throw ControlError("\(content.path): expected true") }
    self = trigger
  }
}

extension UploadRequest {
  init(_ value: ControlValue) throws {
    guard case .object(let members)? = value.value, !members.isEmpty else {
      throw ControlError("\(value.path): expected an object that says which requests")
    }
    try value.members(["host", "path", "method", "status", "atLeastMs", "failed"])
    let failed = try value.member("failed")
    self.init(
      host: try value.member("host").optionalText(maximumLength: 255),
      pathPrefix: try value.member("path").optionalText(maximumLength: 500),
      method: try value.member("method").optionalText(maximumLength: 20),
      status: try Self.status(value.member("status")),
      atLeastMs: try value.member("atLeastMs").optionalNumber(in: UploadTrigger.milliseconds),
      failed: failed.value == nil ? nil : try failed.bool(default: true))
  }

  /// `404`, `"5xx"`, `"500-599"`.
  private static func status(_ value: ControlValue) throws -> ClosedRange<Int>? {
    let wrong = ControlError("\(value.path): expected a status such as 404, \"5xx\" or \"500-503\"")
    switch value.value {
    case nil: return nil
    case .int(let status)? where (100...999).contains(status): return Int(clamping: status)...Int(clamping: status)
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
  init(_ value: ControlValue) throws {
    guard case .object(let members)? = value.value, !members.isEmpty else {
      throw ControlError("\(value.path): expected an object that says which events")
    }
    try value.members(["type", "name", "where"])
    var type: SdkEventType?
    if let name = try value.member("type").optionalText(maximumLength: 100) {
      guard let known = SdkEventType(rawValue: name) else {
        throw ControlError("\(value.path).type: \"\(name.prefix(40))\" is no type of events that is known here")
      }
      type = known
    }
    let conditions = try value.member("where").elements(maximum: Self.maximumConditions).map { try UploadCondition($0) }
    let name = try value.member("name").optionalText(maximumLength: 200)
    guard type != nil || name != nil || !conditions.isEmpty else {
      throw ControlError("\(value.path): expected a type, a name or conditions")
    }
    self.init(type: type, name: name, where: conditions)
  }
}

extension UploadCondition {
  init(_ value: ControlValue) throws {
    let tests = ["equals", "contains", "atLeast", "atMost"]
    try value.members(["field"] + tests)
    let field = try value.member("field").text(maximumLength: 200)
    guard case .object(let members)? = value.value, members.count == 2,
      let test = members.keys.first(where: { $0 != "field" })
    else { throw ControlError("\(value.path): expected a field and one of \(tests.joined(separator: ", "))") }
    let content = try value.member(test)
    let numbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    switch test {
    case "contains": self.init(field, .contains(try content.text(maximumLength: 500)))
    case "atLeast": self.init(field, .atLeast(try content.number(in: numbers)))
    case "atMost": self.init(field, .atMost(try content.number(in: numbers)))
    default:
      switch content.value {
      case .string(let text)? where text.utf8.count <= 500: self.init(field, .equals(.string(text)))
      case .int?, .double?, .bool?: self.init(field, .equals(content.value ?? .null))
      default: throw ControlError("\(content.path): expected a text of at most 500 bytes, a number, true or false")
      }
    }
  }
}

extension LogLevel {
  fileprivate init(_ value: ControlValue) throws {
    let names = ["verbose", "debug", "info", "warning", "error", "fault"]
    let name = try value.text(maximumLength: 20)
    guard let number = names.firstIndex(of: name), let level = LogLevel(rawValue: number) else {
      throw ControlError("\(value.path): expected one of \(names.joined(separator: ", ")), found \"\(name)\"")
    }
    self = level
  }
}

extension UploadAsk {
  init(_ value: ControlValue) throws {
    let subjects = ["session", "user", "device", "appVersion"]
    let id = try value.member("id").text(maximumLength: 100)
    let named = ControlValue("\(value.path) (\"\(id)\")", value.value)
    try named.members(["id", "from", "to", "reason", "priority"] + subjects)
    guard case .object(let members)? = value.value else { throw ControlError("\(value.path): expected an object") }
    let given = subjects.filter { members[$0] != nil }
    guard given.count == 1, let name = given.first else {
      throw ControlError("\(named.path): expected one of \(subjects.joined(separator: ", "))")
    }
    let text = try named.member(name).text(maximumLength: 500)
    let subject: Subject =
      switch name {
      case "session": .session(text)
      case "user": .user(text)
      case "device": .device(text)
      default: .appVersion(text)
      }
    let from = try named.member("from").integer(in: 0...9_223_372_036_854_775_807, default: 0)
    let to = try named.member("to").integer(in: 0...9_223_372_036_854_775_807, default: .max)
    guard from <= to else { throw ControlError("\(named.path): from is later than to") }
    self.init(
      id: id, subject: subject, from: from, to: to, reason: try named.member("reason").optionalText(maximumLength: 500),
      priority: Int(clamping: try named.member("priority").integer(in: 0...9, default: 6)))
  }
}
