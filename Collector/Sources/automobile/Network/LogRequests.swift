import AutoMobileCollector
import AutoMobileHTTP
import AutoMobileHTTPExport
import AutoMobileNetworkLog
import Foundation

/// The requests in a log that an app keeps on a device.
struct LogRequests: RequestSource {
  private let log: NetworkLog

  /// - Throws: ``Failure`` when there is no such directory.
  init(path: String) throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw Failure(
        kind: .unavailable, message: "“\(Printable.text(path))” is not a directory.",
        advice: "It is the directory that the app’s network logger writes to.")
    }
    log = NetworkLog(NetworkLogDirectory(URL(filePath: path)))
  }

  func requests(_ filter: RequestFilter, slowest: Bool, limit: Int) async throws -> [RequestSummary] {
    let question = try LogQuestion(filter)
    var entries: [NetworkLogEntry] = []
    var next: NetworkLogEntry.ID?
    repeat {
      let page = log.page(question.filter, from: next, limit: 1000)
      entries += page.entries.filter { question.matches($0.exchange) }
      next = page.next
    } while next != nil && (slowest || entries.count < limit)
    if slowest { entries.sort { ($0.exchange.durationMs ?? -1) > ($1.exchange.durationMs ?? -1) } }
    return entries.prefix(limit).map(Self.summary)
  }

  /// - Returns: how many requests there were.
  /// - Throws: ``Failure`` when the directory cannot be written to.
  func clear() throws -> Int {
    do {
      return try log.clear()
    } catch {
      throw Failure(
        message: "The log could not be cleared: \(Printable.text(error.localizedDescription))",
        advice: "Its directory must be writable.")
    }
  }

  func exchange(_ name: String) async throws -> RecordedExchange {
    let id = try id(name)
    guard let exchange = log.exchange(id) else { throw Self.missing(name) }
    let isUnderWay = exchange.isUnfinished ? log.isUnderWay(id) : nil
    return RecordedExchange(
      exchange: exchange, frames: log.frames(of: exchange), isUnderWay: isUnderWay,
      json: Self.json(exchange, name: id.description, isUnderWay: isUnderWay))
  }

  func endpoints(_ filter: RequestFilter) async throws -> [EndpointSummary] {
    struct Key: Hashable { var method, host, route: String }
    var groups: [Key: [NetworkLogEntry]] = [:]
    let question = try LogQuestion(filter)
    var next: NetworkLogEntry.ID?
    repeat {
      let page = log.page(question.filter, from: next, limit: 1000)
      for entry in page.entries where question.matches(entry.exchange) {
        let address = RequestAddress(url: entry.exchange.url)
        groups[Key(method: entry.exchange.method, host: address.host, route: address.pattern), default: []].append(
          entry)
      }
      next = page.next
    } while next != nil
    return groups.map { Self.endpoint(method: $0.method, host: $0.host, route: $0.route, $1) }
      .sorted { ($0.count, $1.host, $1.route) > ($1.count, $0.host, $0.route) }
  }

  func archive(_ filter: RequestFilter, limit: Int?, to write: (Data) throws -> Void) async throws -> Int {
    let question = try LogQuestion(filter)
    var writer = HARWriter(version: Collector.version)
    var left = limit ?? .max
    var count = 0
    try log.forEach(question.filter) { exchange, frames in
      guard left > 0, question.matches(exchange) else { return }
      left -= 1
      count += 1 + exchange.redirects.count
      try write(writer.entry(for: exchange, frames: frames))
    }
    try write(writer.end())
    return count
  }

  func follow(_ filter: RequestFilter, each: (RequestSummary) -> Bool) async throws {
    let question = try LogQuestion(filter)
    // A request is told of when it, or its app, has ended, and stands where it began: behind others that ended before it.
    let looked = 500
    var seen = Set(log.page(question.filter, limit: looked).entries.filter { !$0.isUnderWay }.map(\.id))
    Console.standard.note(Console.standard.errorStyle.dim("Waiting for requests. Ctrl-C to stop."))
    for await change in log.updates() where change.added > 0 || change.ended > 0 {
      let entries = log.page(question.filter, limit: looked + change.added + change.ended).entries
        .filter { !$0.isUnderWay }
      for entry in entries.reversed() where seen.insert(entry.id).inserted && question.matches(entry.exchange) {
        if !each(Self.summary(entry)) { return }
      }
      seen = Set(entries.map(\.id))
    }
  }

  // MARK: Names

  /// By its whole name, or by the moment that the list shows.
  private func id(_ name: String) throws -> NetworkLogEntry.ID {
    if let id = NetworkLogEntry.ID(name) { return id }
    guard let moment = Int64(name), moment < .max else { throw Self.missing(name) }
    var filter = NetworkLogFilter()
    filter.startedFrom = moment
    filter.startedBefore = moment + 1
    let found = log.page(filter, limit: 20).entries
    guard let first = found.first else { throw Self.missing(name) }
    guard found.count == 1 else {
      throw Failure(
        message: "\(found.count) requests began at \(moment): \(found.map(\.id.description).joined(separator: ", "))",
        advice: "Type the full name.")
    }
    return first.id
  }

  private static func missing(_ name: String) -> Failure {
    Failure(
      message: "No request “\(Printable.text(name))” in this log.",
      advice: "List them with: automobile network --log DIR")
  }

  // MARK: Answers

  private static func summary(_ entry: NetworkLogEntry) -> RequestSummary {
    let exchange = entry.exchange
    let address = RequestAddress(url: exchange.url)
    return RequestSummary(
      name: String(entry.id.startedAt), timestamp: exchange.startedAt, method: exchange.method, host: address.host,
      path: address.path + (address.query.map { "?" + $0 } ?? ""), status: exchange.statusCode,
      durationMs: exchange.durationMs, received: exchange.responseBody?.size,
      hasFailed: LogQuestion.hasFailed(exchange),
      unfinished: entry.isUnfinished ? (entry.isUnderWay ? "under way" : "app ended") : nil,
      error: exchange.error?.message, tracer: exchange.tracerId, mockRule: exchange.mockRule,
      operation: exchange.graphQLOperation, who: nil,
      json: json(exchange, name: entry.id.description, isUnderWay: entry.isUnfinished ? entry.isUnderWay : nil))
  }

  private static func json(_ exchange: HTTPExchange, name: String, isUnderWay: Bool?) -> JSON {
    let encoded = (try? JSONEncoder().encode(exchange)).flatMap { try? JSONDecoder().decode(JSON.self, from: $0) }
    var members = encoded?.object ?? [:]
    members["id"] = .string(name)
    if let isUnderWay { members["underWay"] = .bool(isUnderWay) }
    return .object(members)
  }

  private static func endpoint(
    method: String, host: String, route: String, _ entries: [NetworkLogEntry]
  ) -> EndpointSummary {
    let durations = entries.compactMap(\.exchange.durationMs).sorted()
    func percentile(_ percent: Int) -> Double? {
      durations.isEmpty ? nil : durations[(durations.count * percent + 99) / 100 - 1]
    }
    let failed = entries.count { LogQuestion.hasFailed($0.exchange) }
    let received = entries.reduce(0) { $0 + ($1.exchange.responseBody?.size ?? 0) }
    return EndpointSummary(
      method: method, host: host, route: route, count: entries.count, failed: failed, medianMs: percentile(50),
      p95Ms: percentile(95), slowestMs: durations.last, received: received,
      json: [
        "method": .string(method), "host": .string(host), "route": .string(route), "count": JSON(entries.count),
        "failed": JSON(failed), "received": JSON(received), "medianMs": percentile(50).map(JSON.number) ?? .null,
        "p95Ms": percentile(95).map(JSON.number) ?? .null, "slowestMs": durations.last.map(JSON.number) ?? .null,
      ])
  }
}
