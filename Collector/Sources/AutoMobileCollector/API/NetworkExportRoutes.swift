import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/network/…`: requests as HTTP archive, as a command line for curl, as a call of fetch, and as text.
struct NetworkExportRoutes: Sendable {
  let requests: any RequestReading
  /// Requests that are listed at once.
  private let pageSize = 50

  func add(to routes: RouteTable) {
    routes.get("/api/network/har", for: .reader) { request, _, scope in try archive(scope, request) }
    routes.get("/api/network/{id}/har", for: .reader) { _, context, scope in
      let (exchange, frames) = try await exchange(scope, context)
      var writer = HARWriter(version: Collector.version)
      let bytes = writer.entry(for: exchange, frames: frames) + writer.end()
      return Self.file(ByteBuffer(data: bytes), Self.har, "request-\(try context.event).har")
    }
    routes.get("/api/network/{id}/curl", for: .reader) { _, context, scope in
      let (exchange, _) = try await exchange(scope, context)
      return Self.file(
        ByteBuffer(string: CurlExport.command(exchange) + "\n"), Self.text, "request-\(try context.event).sh")
    }
    routes.get("/api/network/{id}/fetch", for: .reader) { _, context, scope in
      let (exchange, _) = try await exchange(scope, context)
      return Self.file(
        ByteBuffer(string: FetchExport.call(exchange) + "\n"), Self.text, "request-\(try context.event).mjs")
    }
    routes.get("/api/network/{id}/text", for: .reader) { _, context, scope in
      let (exchange, _) = try await exchange(scope, context)
      return Self.file(
        ByteBuffer(string: AutoMobileHTTPExport.TextExport.text(exchange)), Self.text,
        "request-\(try context.event).txt")
    }
  }

  private func exchange(
    _ scope: ReadScope, _ context: CollectorContext
  ) async throws -> (exchange: HTTPExchange, frames: [HTTPWebSocketFrame]) {
    let (event, frames, _) = try await requests.exchange(scope, context.event)
    return ExchangeReader.exchange(event, frames)
  }

  /// All requests that a filter leaves, oldest first unless another order is asked for; `limit` is the most of them.
  private func archive(_ scope: ReadScope, _ request: Request) throws -> Response {
    var filter = try NetworkFilter(request)
    if request.parameter("sort") == nil { filter.order = .oldest }
    let most = try request.parameter("limit").map { text in
      guard let limit = Int(text), limit > 0 else {
        throw APIError.badRequest("invalid_limit", "limit must be a number from 1")
      }
      return limit
    }
    let name = filter.session.map {
      "session-\(ShortName.of($0)).har"
    }
    let comment = filter.session.map { "Requests of session \($0)" }
    let body = ResponseBody { [filter] writer in
      try await write(scope, filter, most: most ?? .max, comment: comment, to: &writer)
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: Self.headers(Self.har, name ?? "requests.har"), body: body)
  }

  /// Page by page, so that its size does not matter.
  private func write(
    _ scope: ReadScope, _ filter: NetworkFilter, most: Int, comment: String?, to body: inout any ResponseBodyWriter
  ) async throws {
    var writer = HARWriter(version: Collector.version, comment: comment)
    var left = most
    var cursor: PageCursor?
    repeat {
      let page = try await requests.list(scope, filter, after: cursor, limit: min(pageSize, left))
      cursor = page.next
      left -= page.rows.count
      var rows = page.rows[...]
      while !rows.isEmpty {
        let (exchanges, count) = try await requests.exchanges(scope, rows)
        for (exchange, frames) in exchanges {
          try await body.write(ByteBuffer(data: writer.entry(for: exchange, frames: frames)))
        }
        rows = rows.dropFirst(count)
      }
    } while cursor != nil && left > 0
    try await body.write(ByteBuffer(data: writer.end()))
  }

  // MARK: Files

  private static let har = "application/json; charset=utf-8"
  private static let text = "text/plain; charset=utf-8"

  private static func headers(_ type: String, _ name: String) -> HTTPFields {
    var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
    headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    return headers
  }

  private static func file(_ body: ByteBuffer, _ type: String, _ name: String) -> Response {
    Response(status: .ok, headers: headers(type, name), body: ResponseBody(byteBuffer: body))
  }
}
