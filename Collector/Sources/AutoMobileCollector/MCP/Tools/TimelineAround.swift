/// The part of a session that a call of `timeline` asks for: from the beginning or a cursor on, or around a moment.
///
/// Around a moment it is read from there in both directions, so that in a busy session, too, what stands next to the moment is what
/// is shown.
struct TimelineAround {
  struct Part {
    var events: [JSONTree]
    /// The moment that is looked around.
    var middle: Int64?
    /// What is within the time before, and was too much.
    var isCutBefore = false
    /// Where the answer goes on.
    var next: String?
  }

  private let arguments: ToolArguments
  private let api: AskedAPI

  /// - Throws: ``ToolError`` for a moment that is named twice.
  init(_ arguments: ToolArguments, _ api: AskedAPI) throws {
    guard arguments.number("event") == nil || arguments.moment("at") == nil else {
      throw ToolError("pass at or event, not both")
    }
    self.arguments = arguments
    self.api = api
  }

  func events(_ limit: Int) async throws -> Part {
    guard let middle = try await middle else {
      let page = try await page(limit, after: arguments["cursor"])
      return Part(events: page.events, next: page.next)
    }
    // Apps say times as they like: any number may be one.
    let (end, isEndless) = middle.key.addingReportingOverflow(1000 * (arguments.number("after") ?? 10))
    let (start, isBeginless) = middle.key.subtractingReportingOverflow(1000 * (arguments.number("before") ?? 30))
    let later = try await page(limit, after: arguments["cursor"] ?? PageCursor(key: middle.key, id: middle.id - 1).text)
    var behind = later.events.filter { isEndless || Self.time($0) <= end }
    let isEndReached = behind.count < later.events.count
    // What is asked for with a cursor is behind what was shown already.
    guard arguments["cursor"] == nil else {
      return Part(events: behind, middle: middle.key, next: isEndReached ? nil : later.next)
    }
    let earlier = try await page(limit, before: middle.text)
    var before = earlier.events.filter { isBeginless || Self.time($0) >= start }
    // What led to the moment is what is asked for most: three quarters are kept for it, as far as it needs them.
    let room = max(limit - before.count, (limit + 3) / 4)
    let isCutBehind = behind.count > room
    behind = Array(behind.prefix(room))
    let isCutBefore =
      before.count > limit - behind.count || (earlier.next != nil && before.count == earlier.events.count)
    before = before.suffix(limit - behind.count)
    return Part(
      events: before + behind, middle: middle.key, isCutBefore: isCutBefore,
      next: isCutBehind ? behind.last.flatMap(Self.place)?.text : isEndReached ? nil : later.next)
  }

  /// Where the moment is; nil when a call begins at the beginning.
  var middle: PageCursor? {
    get async throws {
      guard let number = arguments.number("event") else {
        // Before all that is of this millisecond: numbers begin at 1.
        return arguments.moment("at").map { PageCursor(key: $0, id: 0) }
      }
      let found = try await ask([("ids", String(number))])
      guard let place = found.events.first.flatMap(Self.place) else {
        throw ToolError("this session has no event #\(number): events and their sessions stand together in lists")
      }
      return place
    }
  }

  private func page(
    _ limit: Int, before: String? = nil, after: String? = nil
  ) async throws -> (events: [JSONTree], next: String?) {
    try await ask([
      ("before", before), ("after", after), ("limit", String(limit)), ("type", arguments["types"]),
      ("q", arguments["query"]),
    ])
  }

  private func ask(_ query: [(String, String?)]) async throws -> (events: [JSONTree], next: String?) {
    let answer = try await api.get(["api", "sessions", arguments.text("session"), "events"], query)
    return (answer["events"]?.elements ?? [], answer["next"]?.string)
  }

  private static func time(_ event: JSONTree) -> Int64 { event["timestamp"]?.integer ?? 0 }

  private static func place(_ event: JSONTree) -> PageCursor? {
    guard let id = event["id"]?.integer else { return nil }
    return EventOrder.cursor(id: id, at: time(event), type: event["eventType"]?.string ?? "")
  }
}
