/// A trigger, ready to be held against the bytes of an event.
struct RuleMatcher: Sendable {
  fileprivate enum Kind: Sendable {
    /// The type says it all.
    case always
    case atLeast(field: [UInt8], Double)
    case unexpectedEnd
    case request(Request)
    case interaction([UInt8])
    case custom(name: [UInt8], field: [UInt8], atLeast: Double)
    case named([UInt8])
    case log(atLeast: Double, tag: [UInt8]?)
    case event(name: [UInt8]?, [Condition])
    /// Not by events.
    case never
  }

  fileprivate struct Request: Sendable {
    var host: [UInt8]?
    /// `host` is what names end with.
    var isSuffix = false
    var pathPrefix: [UInt8]?
    var method: [UInt8]?
    var status: ClosedRange<Int>?
    var atLeastMs: Double?
    var failed: Bool?
  }

  fileprivate struct Condition: Sendable {
    enum Test: Sendable {
      case text([UInt8]), number(Double), bool(Bool), contains([UInt8]), atLeast(Double), atMost(Double), never
    }
    var field: [UInt8]
    var test: Test
  }

  /// The types that it concerns, by ``EventTypeNumber``; nil: all.
  let types: [Int]?
  private let kind: Kind

  init(_ trigger: UploadTrigger) {
    func types(_ type: SdkEventType) -> [Int] { [EventTypeNumber.of(type)] }
    switch trigger {
    case .crash: (self.types, kind) = (types(.crash), .always)
    case .hang(let milliseconds): (self.types, kind) = (types(.hang), .atLeast(field: Self.duration, milliseconds))
    case .unexpectedEnd: (self.types, kind) = (types(.lifecycle), .unexpectedEnd)
    case .handledFailure: (self.types, kind) = (types(.handledException), .always)
    case .request(let request): (self.types, kind) = (types(.networkRequest), .request(Request(request)))
    case .rageTap: (self.types, kind) = (types(.interaction), .interaction(Array("rage_tap".utf8)))
    case .deadTap: (self.types, kind) = (types(.interaction), .interaction(Array("dead_tap".utf8)))
    case .slowLaunch(let milliseconds):
      (self.types, kind) = (
        types(.custom), .custom(name: Self.launchName, field: Array("properties.totalMs".utf8), atLeast: milliseconds)
      )
    case .frozenFrames(let count):
      (self.types, kind) = (
        types(.custom), .custom(name: Self.framesName, field: Array("properties.frozen".utf8), atLeast: Double(count))
      )
    case .log(let level, let tag):
      (self.types, kind) = (types(.log), .log(atLeast: Double(level.rawValue), tag: tag.map { Array($0.utf8) }))
    case .event(let event):
      self.types = event.type.map(types)
      kind = .event(
        name: event.name.map { Array($0.utf8) },
        event.conditions.prefix(UploadEvent.maximumConditions).map(Condition.init))
    case .capture: (self.types, kind) = (types(.custom), .named(Array(CaptureEvent.name.utf8)))
    case .sessions: (self.types, kind) = ([], .never)
    }
  }

  // The names of what `AutoMobileInterface` records, which this module does not know.
  private static let launchName = Array("App Launch".utf8)
  private static let framesName = Array("Frames".utf8)
  private static let duration = Array("durationMs".utf8)
  private static let name = Array("name".utf8)

  /// Whether it applies to an event of one of ``types``.
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
      return conditions.allSatisfy { $0.holds(in: event) }
    }
  }

  private static let interactionType = Array("interactionType".utf8)
  private static let level = Array("level".utf8)
  private static let tag = Array("tag".utf8)
}

extension RuleMatcher.Request {
  init(_ request: UploadRequest) {
    var name = request.host
    if let host = name, host.hasPrefix("*.") {
      isSuffix = true
      name = String(host.dropFirst())
    }
    host = name.map { Array($0.utf8) }
    pathPrefix = request.pathPrefix.map { Array($0.utf8) }
    method = request.method.map { Array($0.utf8) }
    status = request.status
    atLeastMs = request.atLeastMs
    failed = request.failed
  }

  func matches(_ event: EventBytes) -> Bool {
    if let method {
      guard let place = event.member(Self.methodName), event.withText(place, { $0.equalsIgnoringCase(method) }) == true
      else {
        return false
      }
    }
    if host != nil {
      guard let place = event.member(Self.hostName), event.withText(place, { isHost($0) }) == true else { return false }
    }
    if let pathPrefix {
      guard let place = event.member(Self.pathName), event.withText(place, { $0.starts(with: pathPrefix) }) == true
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
      guard let code, let exact = Int(exactly: code), status.contains(exact) else { return false }
    }
    if let failed, failed != (code.map { $0 >= 400 } ?? true) { return false }
    return true
  }

  private func isHost(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let host else { return true }
    if isSuffix { return name.count > host.count && name.suffix(host.count).equalsIgnoringCase(host) }
    return name.equalsIgnoringCase(host)
  }

  private static let methodName = Array("method".utf8)
  private static let hostName = Array("host".utf8)
  private static let pathName = Array("path".utf8)
  private static let durationName = Array("durationMs".utf8)
  private static let statusName = Array("statusCode".utf8)
}

extension RuleMatcher.Condition {
  init(_ condition: UploadCondition) {
    field = Array(condition.field.utf8)
    switch condition.test {
    case .contains(let text): test = .contains(Array(text.utf8))
    case .atLeast(let number): test = .atLeast(number)
    case .atMost(let number): test = .atMost(number)
    case .equals(.string(let text)): test = .text(Array(text.utf8))
    case .equals(.int(let number)): test = .number(Double(number))
    case .equals(.double(let number)): test = .number(number)
    case .equals(.bool(let bool)): test = .bool(bool)
    // Nothing equals a whole object.
    case .equals: test = .never
    }
  }

  func holds(in event: EventBytes) -> Bool {
    guard let place = event.value(at: field) else { return false }
    switch test {
    case .text(let text): return event.isText(place, text)
    case .number(let number): return event.number(place) == number
    case .bool(let bool): return event.bool(place) == bool
    case .contains(let text): return event.withText(place) { $0.contains(bytes: text) } ?? false
    case .atLeast(let least): return event.numberOrText(place).map { $0 >= least } ?? false
    case .atMost(let most): return event.numberOrText(place).map { $0 <= most } ?? false
    case .never: return false
    }
  }
}
