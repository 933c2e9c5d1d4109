import AutoMobileJournal

/// A trigger, held against events as the SDK does it. `Tests/UploadRules/corpus.json` says for both what applies to what.
struct UploadMatcher: Sendable {
  static let crash = "crash"
  static let failure = "handled_exception"
  static let hang = "hang"
  static let summary = "session_summary"
  static let request = "network_request"
  /// What goes at once whatever the rules say.
  static let alwaysSent: Set<String> = [crash, failure, hang, summary]

  /// What has the time at which it began.
  static let lasting: Set<String> = [request, "span", hang]

  let when: UploadTrigger
  /// The type of event that it concerns; nil: all.
  let type: String?

  init(_ when: UploadTrigger) {
    self.when = when
    type =
      switch when {
      case .crash: Self.crash
      case .hang: Self.hang
      case .unexpectedEnd: "lifecycle"
      case .handledFailure: Self.failure
      case .request: Self.request
      case .rageTap, .deadTap: "interaction"
      case .slowLaunch, .frozenFrames, .capture: "custom"
      case .log: "log"
      case .event(let event): event.type
      // Not by events.
      case .sessions: ""
      }
  }

  /// Whether it applies to an event of its type.
  func matches(_ event: RecordedMembers) -> Bool {
    switch when {
    case .crash, .handledFailure: true
    case .sessions: false
    case .hang(let least): event.number(event.value("durationMs")).map { $0 >= least } ?? false
    case .unexpectedEnd: EndedLaunch(event)?.isUnexpected ?? false
    case .rageTap: event.isText(event.value("interactionType"), "rage_tap")
    case .deadTap: event.isText(event.value("interactionType"), "dead_tap")
    case .slowLaunch(let least): isCustom(event, "App Launch", "properties.totalMs", least)
    case .frozenFrames(let least): isCustom(event, "Frames", "properties.frozen", Double(least))
    case .capture: event.isText(event.value("name"), "Capture")
    case .request(let request): request.matches(event)
    case .log(let least, let tag):
      (event.number(event.value("level")).map { $0 >= Double(least) } ?? false)
        && (tag.map { event.isText(event.value("tag"), $0) } ?? true)
    case .event(let wanted):
      (wanted.name.map { event.isText(event.value("name"), $0) } ?? true)
        && wanted.conditions.allSatisfy { $0.holds(in: event) }
    }
  }

  private func isCustom(_ event: RecordedMembers, _ name: String, _ field: String, _ least: Double) -> Bool {
    guard event.isText(event.value("name"), name) else { return false }
    return event.number(event.value(at: field)).map { $0 >= least } ?? false
  }
}

extension UploadRequest {
  func matches(_ event: RecordedMembers) -> Bool {
    if let method {
      guard let text = event.text(event.value("method")), Self.isEqual(text[...], method) else { return false }
    }
    if let host {
      guard let text = event.text(event.value("host")), isHost(text, host) else { return false }
    }
    if let pathPrefix {
      guard let text = event.text(event.value("path")), text.starts(with: pathPrefix.utf8) else { return false }
    }
    if let atLeastMs {
      guard let duration = event.number(event.value("durationMs")), duration >= atLeastMs else { return false }
    }
    guard status != nil || failed != nil else { return true }
    let code = event.integer(event.value("statusCode"))
    if let status {
      guard let code, let exact = Int(exactly: code), status.contains(exact) else { return false }
    }
    return failed == nil || failed == (code.map { $0 >= 400 } ?? true)
  }

  private func isHost(_ name: [UInt8], _ wanted: String) -> Bool {
    guard wanted.hasPrefix("*.") else { return Self.isEqual(name[...], wanted) }
    let end = String(wanted.dropFirst())
    return name.count > end.utf8.count && Self.isEqual(name.suffix(end.utf8.count), end)
  }

  /// The same letters, whatever their case. Letters of ASCII only.
  private static func isEqual(_ text: ArraySlice<UInt8>, _ other: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
    return text.count == other.utf8.count && zip(text, other.utf8).allSatisfy { lower($0) == lower($1) }
  }
}

extension UploadCondition {
  func holds(in event: RecordedMembers) -> Bool {
    guard let value = event.value(at: field) else { return false }
    switch test {
    case .text(let text): return event.isText(value, text)
    case .number(let number): return event.number(value) == number
    case .bool(let bool): return event.bool(value) == bool
    case .contains(let text): return event.contains(value, Array(text.utf8))
    case .atLeast(let least): return event.numberOrText(value).map { $0 >= least } ?? false
    case .atMost(let most): return event.numberOrText(value).map { $0 <= most } ?? false
    }
  }
}

/// What a lifecycle event says of an earlier launch.
struct EndedLaunch {
  var launch: LaunchID
  var isUnexpected: Bool

  private static let verdicts = [
    "crash": true, "hang_kill": true, "out_of_memory": true, "unknown": true, "clean_exit": false, "user_kill": false,
    "updated": false, "rebooted": false, "debugger": false,
  ]

  /// Nil when the event says nothing of that kind.
  init?(_ event: RecordedMembers) {
    guard event.isText(event.value("state"), "previous_launch_ended"),
      let id = event.text(event.value(at: "details.launchId")),
      let launch = LaunchID(String(decoding: id, as: UTF8.self)),
      let verdict = event.text(event.value(at: "details.verdict")),
      let isUnexpected = Self.verdicts[String(decoding: verdict, as: UTF8.self)]
    else { return nil }
    self.launch = launch
    self.isUnexpected = isUnexpected
  }
}
