/// What the collector needs to know of an event, read in one pass; everything else stays in the event's bytes.
struct EventFields {
  /// The longest event type and session id that are told apart, in bytes.
  static let maximumName = 256

  var eventType: JSONScanner.Text?
  var timestamp: Int64?
  var contextId: Int64?
  var sessionId: JSONScanner.Text?
  /// The session that a summary is about.
  var session: JSONScanner.Text?
  /// Where a navigation went.
  var destination: JSONScanner.Text?
  /// What a custom event is called.
  var name: JSONScanner.Text?
  /// What a gesture was.
  var interactionType: JSONScanner.Text?
  /// The expanded context object.
  var context: Range<Int>?
  var logLevel: Int64?
  var statusCode: Int64?
  /// In milliseconds, rounded up.
  var duration: Int64?
  /// The bytes of what tells sources of one type apart: a log's tag, a name, a suite.
  var origin: Range<Int>?
  /// Of a request.
  var outcome: RequestOutcome {
    RequestOutcome(
      status: statusCode, hasError: hasError, isCancelled: errorCode == -999 && isURLError, isUnfinished: isUnfinished)
  }
  /// The launch that it happened in, when a later one tells of it.
  var ofLaunch: JSONScanner.Text?
  /// A request whose process ended first.
  var isUnfinished = false
  /// A span that went wrong.
  private(set) var hasErrorStatus = false
  private var hasError = false
  private var errorCode: Int64?
  private var isURLError = false

  /// Reads an event's JSON.
  ///
  /// - Parameter scanner: at the beginning; afterwards it can decode the texts.
  /// - Throws: ``JSONError`` when it is not one JSON object, or a needed member has the wrong type.
  init(_ scanner: inout JSONScanner) throws {
    var fields = EventFields()
    try scanner.document { scanner in
      try scanner.object { scanner, key in try fields.member(key, &scanner) }
    }
    self = fields
  }

  private init() {}

  private mutating func member(_ key: JSONScanner.Text, _ scanner: inout JSONScanner) throws {
    // The length tells most names apart before any is compared.
    switch key.isEscaped ? -1 : key.range.count {
    case 3 where scanner.matches(key, "tag"): origin = try scanner.skip().range
    case 4 where scanner.matches(key, "name"):
      if try scanner.peek() == .string {
        let text = try scanner.string()
        name = text
        // With its quotes.
        origin = text.range.lowerBound - 1..<text.range.upperBound + 1
      } else {
        origin = try scanner.skip().range
      }
    case 5 where scanner.matches(key, "level"): logLevel = try optionalInteger(&scanner)
    case 5 where scanner.matches(key, "error"): hasError = try scanner.skip().kind == .string
    // Addresses are nothing that one searches for; the functions are in the stack trace as well.
    case 6 where scanner.matches(key, "status"):
      let status = try scanner.skip()
      // With its quotes.
      hasErrorStatus = scanner.bytes[status.range].elementsEqual("\"error\"".utf8)
    case 6 where scanner.matches(key, "report"): _ = try withoutCollecting(&scanner) { try $0.skip() }
    case 7 where scanner.matches(key, "context"):
      let value = try withoutCollecting(&scanner) { try $0.skip() }
      context = value.kind == .object ? value.range : nil
    case 7 where scanner.matches(key, "session"): session = try optionalText(&scanner)
    case 8 where scanner.matches(key, "ofLaunch"):
      // An id is nothing that one searches for among words.
      ofLaunch = try withoutCollecting(&scanner) { try optionalText(&$0) }
    case 8 where scanner.matches(key, "replayId"): _ = try withoutCollecting(&scanner) { try $0.skip() }
    case 9 where scanner.matches(key, "eventType"): eventType = try name("eventType", &scanner)
    case 9 where scanner.matches(key, "timestamp"):
      guard try scanner.peek() == .number, let value = try scanner.integer() else {
        throw scanner.error("timestamp must be a number of milliseconds")
      }
      timestamp = value
    case 9 where scanner.matches(key, "contextId"): contextId = try optionalInteger(&scanner)
    case 9 where scanner.matches(key, "errorCode"): errorCode = try optionalInteger(&scanner)
    case 9 where scanner.matches(key, "sessionId"):
      if try scanner.peek() == .null { _ = try scanner.skip() } else { sessionId = try name("sessionId", &scanner) }
    case 9 where scanner.matches(key, "suiteName"): origin = try scanner.skip().range
    case 10 where scanner.matches(key, "durationMs"): duration = try milliseconds(&scanner)
    case 10 where scanner.matches(key, "statusCode"): statusCode = try optionalInteger(&scanner)
    case 10 where scanner.matches(key, "unfinished"): isUnfinished = try scanner.skipsTrue()
    case 11 where scanner.matches(key, "errorDomain"):
      let domain = try scanner.skip()
      // With its quotes.
      isURLError = scanner.bytes[domain.range].elementsEqual("\"NSURLErrorDomain\"".utf8)
    case 11 where scanner.matches(key, "destination"): destination = try optionalText(&scanner)
    case 15 where scanner.matches(key, "interactionType"): interactionType = try optionalText(&scanner)
    case -1:
      // A name with escapes in it: spelled out, it may still be one of those that matter.
      switch scanner.decode(key) {
      case "eventType": eventType = try name("eventType", &scanner)
      case "timestamp": timestamp = try scanner.integer()
      case "contextId": contextId = try optionalInteger(&scanner)
      case "sessionId": sessionId = try name("sessionId", &scanner)
      default: try scanner.skip()
      }
    default: try scanner.skip()
    }
  }

  private func name(_ member: String, _ scanner: inout JSONScanner) throws -> JSONScanner.Text {
    guard try scanner.peek() == .string else { throw scanner.error("\(member) must be a string") }
    let text =
      member == "sessionId" ? try withoutCollecting(&scanner) { try $0.string() } : try scanner.string()
    guard text.range.count <= Self.maximumName else {
      throw scanner.error("\(member) is longer than \(Self.maximumName) bytes")
    }
    guard member != "sessionId" || !hasControlCharacters(text, scanner) else {
      throw scanner.error("\(member) has control characters")
    }
    return text
  }

  private func hasControlCharacters(_ text: JSONScanner.Text, _ scanner: JSONScanner) -> Bool {
    text.isEscaped
      ? scanner.unescape(text).haveControlCharacters : scanner.bytes[text.range].haveControlCharacters
  }

  private func optionalText(_ scanner: inout JSONScanner) throws -> JSONScanner.Text? {
    guard try scanner.peek() == .string else {
      try scanner.skip()
      return nil
    }
    return try scanner.string()
  }

  private func optionalInteger(_ scanner: inout JSONScanner) throws -> Int64? {
    guard try scanner.peek() == .number else {
      try scanner.skip()
      return nil
    }
    return try scanner.integer()
  }

  private func milliseconds(_ scanner: inout JSONScanner) throws -> Int64? {
    let value = try scanner.skip()
    guard value.kind == .number, let number = Double(String(decoding: scanner.bytes[value.range], as: UTF8.self)),
      (0...1e12).contains(number)
    else { return nil }
    return Int64(number.rounded(.up))
  }

  /// Identifiers are found by their own index, not by full text.
  private func withoutCollecting<Result>(
    _ scanner: inout JSONScanner, _ body: (inout JSONScanner) throws -> Result
  ) rethrows -> Result {
    let collected = scanner.collected
    scanner.collected = nil
    defer { scanner.collected = collected }
    return try body(&scanner)
  }
}
