import Hummingbird
import Logging
import NIOCore

/// What a request carries through the router.
struct CollectorContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Where the request comes from, without the port: who the connection is with, or whom a trusted proxy names (``ProxyHeaders``).
  var remoteAddress: String?
  /// It comes from a request that has been through there.
  let isBeside: Bool
  /// The connection that it came over; nil for a question of this process's own, whose asker is there until it ends.
  let channel: (any Channel)?
  /// The key of a project, or of a person, that was presented; nil for those that the collector was started with.
  var key: AccessKey?
  /// Of the person who has signed in.
  var session: PersonSession?
  /// What a handler says of its request for the audit log.
  let audit = AuditNote()

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
    isBeside = false
    remoteAddress = source.channel.remoteAddress?.ipAddress
  }

  /// Of another question that the same request leads to.
  init(beside other: CollectorContext) {
    coreContext = .init(source: Inside(logger: other.logger))
    channel = other.channel
    isBeside = true
    remoteAddress = other.remoteAddress
  }

  /// Of a question that comes over no connection.
  init(within logger: Logger) {
    coreContext = .init(source: Inside(logger: logger))
    channel = nil
    isBeside = false
    remoteAddress = nil
  }

  private struct Inside: RequestContextSource {
    let logger: Logger
  }
}

extension Request {
  /// A query parameter's value, decoded; nil when it is absent or empty.
  func parameter(_ name: String) -> String? {
    guard let value = uri.queryParameters[Substring(name)], !value.isEmpty else { return nil }
    return String(value)
  }

  /// The values of a query parameter that can stand there several times; empty ones left out, not more than 32.
  func parameters(_ name: String) -> [String] {
    uri.queryParameters[values: Substring(name)].filter { !$0.isEmpty }.prefix(32).map(String.init)
  }

  /// A query parameter that is a time in milliseconds since 1970.
  func time(_ name: String) throws -> Int64? {
    guard let text = parameter(name) else { return nil }
    guard let time = Int64(text) else {
      throw APIError.badRequest("invalid_\(name)", "\(name) must be a time in milliseconds since 1970")
    }
    return time
  }

  /// Of one page.
  static let mostRows = 1000

  /// `limit`, from 1 to ``mostRows``.
  func limit(default standard: Int) throws -> Int {
    guard let text = parameter("limit") else { return standard }
    guard let limit = Int(text), limit > 0 else {
      throw APIError.badRequest("invalid_limit", "limit must be a number from 1 to \(Self.mostRows)")
    }
    return min(limit, Self.mostRows)
  }

  /// `session`, `type` (several with commas) and `q`.
  ///
  /// - Throws: ``APIError`` for a search that cannot be read.
  var eventFilter: EventFilter {
    get throws {
      EventFilter(
        session: parameter("session"),
        types: (parameter("type") ?? "").split(separator: ",").prefix(32).map(String.init),
        query: try SearchQuery(parameter("q") ?? "", in: .events))
    }
  }
}
