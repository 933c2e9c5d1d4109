/// A trigger, ready to be held against the bytes of an event.
///
/// It holds pointers and numbers only: see ``RuleText``.
struct RuleMatcher: BitwiseCopyable {
  fileprivate enum Kind: BitwiseCopyable {
    /// The type says it all.
    case always
    case atLeast(field: RuleText, Double)
    case unexpectedEnd
    case request(Request)
    case interaction(RuleText)
    case custom(name: RuleText, field: RuleText, atLeast: Double)
    case named(RuleText)
    case log(atLeast: Double, tag: RuleText?)
    case event(name: RuleText?, UnsafeBufferPointer<Condition>)
    /// Not by events.
    case never
  }

  fileprivate struct Request: BitwiseCopyable {
    var host: RuleText?
    /// `host` is what names end with.
    var isSuffix = false
    var pathPrefix: RuleText?
    var method: RuleText?
    var status: (from: Int, to: Int)?
    var atLeastMs: Double?
    var failed: Bool?
  }

  fileprivate struct Condition: BitwiseCopyable {
    enum Test: BitwiseCopyable {
      case text(RuleText), number(Double), bool(Bool), contains(RuleText), atLeast(Double), atMost(Double), never
    }
    var field: RuleText
    /// It may lead into objects.
    var isPath: Bool
    var test: Test
  }

  private let kind: Kind

  /// - Parameter texts: must be kept for as long as this.
  init(_ trigger: UploadTrigger, _ texts: RuleTexts) {
    switch trigger {
    case .crash, .handledFailure: kind = .always
    case .hang(let milliseconds): kind = .atLeast(field: Self.duration, milliseconds)
    case .unexpectedEnd: kind = .unexpectedEnd
    case .request(let request): kind = .request(Request(request, texts))
    case .rageTap: kind = .interaction(texts.keep(RecordedName.rageTap))
    case .deadTap: kind = .interaction(texts.keep(RecordedName.deadTap))
    case .slowLaunch(let milliseconds):
      kind = .custom(
        name: texts.keep(RecordedName.launch), field: RuleText("properties.totalMs"), atLeast: milliseconds)
    case .frozenFrames(let count):
      kind = .custom(
        name: texts.keep(RecordedName.frames), field: RuleText("properties.frozen"), atLeast: Double(count))
    case .log(let level, let tag): kind = .log(atLeast: Double(level.rawValue), tag: tag.map { texts.keep($0) })
    case .event(let event):
      let conditions = event.conditions.prefix(UploadEvent.maximumConditions).map { Condition($0, texts) }
      kind = .event(name: event.name.map { texts.keep($0) }, texts.keep(conditions))
    case .capture: kind = .named(texts.keep(CaptureEvent.name))
    case .sessions: kind = .never
    }
  }

  /// The types that a trigger concerns, by ``EventTypeNumber``; nil: all.
  static func types(of trigger: UploadTrigger) -> [Int]? {
    func types(_ type: SdkEventType) -> [Int] { [EventTypeNumber.of(type)] }
    return switch trigger {
    case .crash: types(.crash)
    case .hang: types(.hang)
    case .unexpectedEnd: types(.lifecycle)
    case .handledFailure: types(.handledException)
    case .request: types(.networkRequest)
    case .rageTap, .deadTap: types(.interaction)
    case .slowLaunch, .frozenFrames, .capture: types(.custom)
    case .log: types(.log)
    case .event(let event): event.type.map(types)
    case .sessions: []
    }
  }

  private static var duration: RuleText { RuleText("durationMs") }
  private static var name: RuleText { RuleText("name") }
  private static var interactionType: RuleText { RuleText("interactionType") }
  private static var level: RuleText { RuleText("level") }
  private static var tag: RuleText { RuleText("tag") }

  /// Whether it applies to an event of one of its types.
  func matches(_ event: EventBytes) -> Bool {
    switch kind {
    case .always: return true
    case .never: return false
    case .atLeast(let field, let least): return event.member(field).flatMap(event.number).map { $0 >= least } ?? false
    case .unexpectedEnd: return EndedLaunch(event)?.isUnexpected ?? false
    case .request(let request): return request.matches(event)
    case .interaction(let type): return event.isText(event.member(Self.interactionType), type)
    case .custom(let name, let field, let least):
      guard event.isText(event.member(Self.name), name) else { return false }
      return event.value(at: field).flatMap(event.number).map { $0 >= least } ?? false
    case .named(let name): return event.isText(event.member(Self.name), name)
    case .log(let least, let tag):
      guard event.member(Self.level).flatMap(event.number).map({ $0 >= least }) ?? false else { return false }
      return tag.map { event.isText(event.member(Self.tag), $0) } ?? true
    case .event(let name, let conditions):
      if let name, !event.isText(event.member(Self.name), name) { return false }
      for condition in conditions where !condition.holds(in: event) { return false }
      return true
    }
  }
}

extension RuleMatcher.Request {
  init(_ request: UploadRequest, _ texts: RuleTexts) {
    var name = request.host
    if let host = name, host.hasPrefix("*.") {
      isSuffix = true
      name = String(host.dropFirst())
    }
    host = name.map { texts.keep($0) }
    pathPrefix = request.pathPrefix.map { texts.keep($0) }
    method = request.method.map { texts.keep($0) }
    status = request.status.map { ($0.lowerBound, $0.upperBound) }
    atLeastMs = request.atLeastMs
    failed = request.failed
  }

  func matches(_ event: EventBytes) -> Bool {
    if let method {
      guard let place = event.member(Self.methodName),
        event.withText(place, { $0.equalsIgnoringCase(method.bytes) }) == true
      else {
        return false
      }
    }
    if host != nil {
      guard let place = event.member(Self.hostName), event.withText(place, { isHost($0) }) == true else { return false }
    }
    if let pathPrefix {
      guard let place = event.member(Self.pathName),
        event.withText(place, { $0.starts(with: pathPrefix.bytes) }) == true
      else { return false }
    }
    if let atLeastMs {
      guard let duration = event.member(Self.durationName).flatMap(event.number), duration >= atLeastMs else {
        return false
      }
    }
    guard status != nil || failed != nil else { return true }
    let code = event.member(Self.statusName).flatMap(event.integer)
    if let status {
      guard let code, let exact = Int(exactly: code), status.from <= exact, exact <= status.to else { return false }
    }
    if let failed, failed != (code.map { $0 >= 400 } ?? true) { return false }
    return true
  }

  private func isHost(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let host = host?.bytes else { return true }
    if isSuffix { return name.count > host.count && name.suffix(host.count).equalsIgnoringCase(host) }
    return name.equalsIgnoringCase(host)
  }

  private static var methodName: RuleText { RuleText("method") }
  private static var hostName: RuleText { RuleText("host") }
  private static var pathName: RuleText { RuleText("path") }
  private static var durationName: RuleText { RuleText("durationMs") }
  private static var statusName: RuleText { RuleText("statusCode") }
}

extension RuleMatcher.Condition {
  init(_ condition: UploadCondition, _ texts: RuleTexts) {
    field = texts.keep(condition.field)
    isPath = condition.field.utf8.contains(UInt8(ascii: "."))
    switch condition.test {
    case .contains(let text): test = .contains(texts.keep(text))
    case .atLeast(let number): test = .atLeast(number)
    case .atMost(let number): test = .atMost(number)
    case .equals(.string(let text)): test = .text(texts.keep(text))
    case .equals(.int(let number)): test = .number(Double(number))
    case .equals(.double(let number)): test = .number(number)
    case .equals(.bool(let bool)): test = .bool(bool)
    // Nothing equals a whole object.
    case .equals: test = .never
    }
  }

  func holds(in event: EventBytes) -> Bool {
    guard let place = isPath ? event.value(at: field) : event.member(field) else { return false }
    switch test {
    case .text(let text): return event.isText(place, text)
    case .number(let number): return event.number(place) == number
    case .bool(let bool): return event.bool(place) == bool
    case .contains(let text): return event.withText(place) { $0.contains(bytes: text.bytes) } ?? false
    case .atLeast(let least): return event.numberOrText(place).map { $0 >= least } ?? false
    case .atMost(let most): return event.numberOrText(place).map { $0 <= most } ?? false
    case .never: return false
    }
  }
}
