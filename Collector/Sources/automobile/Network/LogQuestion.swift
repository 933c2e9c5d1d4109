import AutoMobileCollector
import AutoMobileHTTP
import AutoMobileNetworkLog

/// A ``RequestFilter`` for a log: what the log's own filter knows, and the rest.
struct LogQuestion {
  private(set) var filter = NetworkLogFilter()
  private let wanted: RequestFilter

  /// - Throws: ``Failure`` for what a log cannot know.
  init(_ wanted: RequestFilter) throws {
    guard wanted.session == nil, wanted.app == nil else {
      throw Failure(
        kind: .unavailable, message: "A log on a device has no sessions or apps to filter by.",
        advice: "Leave out --session and --app.")
    }
    self.wanted = wanted
    filter.minimumDuration = wanted.slowerThan?.value
    filter.tracerID = wanted.tracer
    filter.isMocked = wanted.mocked ? true : nil
    filter.startedFrom = wanted.since?.milliseconds
    filter.startedBefore = wanted.until?.milliseconds
    filter.text = try Self.text(wanted.text)
    if let host = wanted.host, !host.contains("*") { filter.hosts = [host.lowercased()] }
  }

  /// A log is searched for a text as it stands; for fields there are options.
  private static func text(_ search: String?) throws -> String {
    guard let search else { return "" }
    let (text, field) = SearchMarks.text(search, in: "requests")
    guard let field else { return text }
    let options = [
      "status": "--status", "method": "--method", "host": "--host", "path": "--path", "url": "--host and --path",
      "duration": "--slower-than", "tracer": "--tracer", "mock": "--mocked", "has": "--errors and --mocked",
    ]
    throw Failure(
      kind: .unavailable, message: "A log on a device is searched for text, not for fields like “\(field):”.",
      advice: (options[field].map { "Use \($0). " } ?? "")
        + "To find the text itself, quote it: --search '\"\(Printable.text(search))\"'")
  }

  func matches(_ exchange: HTTPExchange) -> Bool {
    if wanted.failed, !Self.hasFailed(exchange) { return false }
    if let tracer = wanted.tracer, exchange.tracerId != tracer { return false }
    if !wanted.methods.isEmpty, !wanted.methods.contains(exchange.method.uppercased()) { return false }
    if !wanted.statuses.isEmpty, !wanted.statuses.contains(where: { Self.matches(exchange, $0) }) {
      return false
    }
    let address = RequestAddress(url: exchange.url)
    if let host = wanted.host, !Wildcard.matches(address.host, host.lowercased()) { return false }
    return wanted.path.map { Wildcard.matches(address.path, $0) } ?? true
  }

  static func hasFailed(_ exchange: HTTPExchange) -> Bool {
    RequestOutcome(
      status: exchange.statusCode.map(Int64.init), hasError: exchange.error != nil,
      isCancelled: exchange.error?.isCancellation == true, isUnfinished: exchange.isUnfinished
    ).hasFailed
  }

  private static func matches(_ exchange: HTTPExchange, _ status: String) -> Bool {
    if exchange.isUnfinished { return status == "unfinished" || status == "none" }
    guard let code = exchange.statusCode else { return status == "none" }
    return status.hasSuffix("xx") ? status.first == String(code / 100).first && code < 1000 : status == String(code)
  }
}

/// Patterns with `*` for anything and `?` for one character.
enum Wildcard {
  /// In the time of text times pattern at most: the last asterisk is the only one that is gone back to.
  static func matches(_ text: String, _ pattern: String) -> Bool {
    let (text, pattern) = (Array(text), Array(pattern))
    var (at, place) = (0, 0)
    var retry: (at: Int, place: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == "*" {
        retry = (at, place)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[at] {
        at += 1
        place += 1
      } else if let last = retry {
        retry = (last.at + 1, last.place)
        at = last.at + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
