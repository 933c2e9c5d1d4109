import AutoMobileHTTP
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct RequestReadingTests {
  private static func filters() throws -> [(name: String, filter: NetworkFilter)] {
    var filters: [(String, NetworkFilter)] = [("everything", NetworkFilter())]
    func add(_ name: String, _ change: (inout NetworkFilter) -> Void) {
      for order in NetworkFilter.Order.allCases {
        var filter = NetworkFilter()
        filter.order = order
        change(&filter)
        filters.append(("\(name), \(order)", filter))
      }
    }
    add("all") { _ in }
    add("methods") { $0.methods = ["POST", "DELETE"] }
    add("statuses") { $0.statuses = [.exactly(404), .hundreds(5), .none] }
    add("unfinished") { $0.statuses = [.unfinished] }
    add("a host") { $0.host = "api.example.com" }
    add("hosts") { $0.host = "*.example.com" }
    add("a path") { $0.path = "/v1/*/1?" }
    add("a path as it stands") { $0.path = "/V1/cart" }
    add("a route") { $0.route = "/v1/orders/:id" }
    add("slow ones") { $0.minimumDuration = 300_000 }
    add("a time") { ($0.from, $0.to) = (ShopDeliveries.start + 1000, ShopDeliveries.start + 5000) }
    add("a tracer") { $0.tracer = "t-1" }
    add("mocked") { $0.isMocked = true }
    add("not mocked") { $0.isMocked = false }
    add("failed") { $0.failed = true }
    add("an app") { $0.bundleId = "dev.example.shop2" }
    for query in [
      "declined", "decl", "CARD declined", #""card declined""#, #""Größe" 100%"#, "größe", "404", "mira", "noor",
      "-mira",
      "status:5xx", "status:>=404", "status:none", "status:unfinished", "-status:2xx", "host:api", "-host:api",
      "host:exam*com",
      "path:orders", "path:/v1/*", "url:orders/17?page", "duration:>500ms", "size:>5KB", "error:timed", "-error:timed",
      "route:orders", "tracer:t-1", "operation:place", "mock:cart", "has:error", "has:mock", "has:response",
      "-has:response",
      "app:shop", "app:shop2", "version:2.1", "user:mira", "device:iphone15", "device:pixel", "os:ios", "session:s1",
      "tag:tier=gold", "tag:gold", #"tag:"a\"b,c""#, "method:get,post", "iphone", "gold -declined", "orders 404", "—",
      "\\", "%",
    ] {
      var filter = NetworkFilter()
      filter.query = try SearchQuery(query, in: .requests)
      filters.append((query, filter))
    }
    return filters
  }

  @Test func `Lists of requests are the same, whatever is asked for`() async throws {
    let twins = try await Twins.shop
    let scope = try twins.store.everything()
    for (name, filter) in try Self.filters() {
      try await twins.compare(name) {
        try await SQLiteRequests(store: twins.store).list(scope, filter, after: nil, limit: 100).rows
      } _: {
        try await ClickHouseRequests(telemetry: $0).list(scope, filter, after: nil, limit: 100).rows
      } as: { rows, events in
        rows.map { $0.described(events) }.joined(separator: "\n")
      }
    }
  }

  @Test func `Pages follow each other, also within one millisecond`() async throws {
    let twins = try await Twins.shop
    let scope = try twins.store.everything()
    for order in NetworkFilter.Order.allCases {
      for limit in [1, 4] {
        var filter = NetworkFilter()
        filter.order = order
        func pages(_ reading: any RequestReading) async throws -> [[NetworkRow]] {
          var pages: [[NetworkRow]] = []
          var cursor: PageCursor?
          repeat {
            let page = try await reading.list(scope, filter, after: cursor, limit: limit)
            pages.append(page.rows)
            cursor = page.next
          } while cursor != nil && pages.count < 100
          return pages.filter { !$0.isEmpty }
        }
        try await twins.compare("\(order), \(limit) at once") {
          try await pages(SQLiteRequests(store: twins.store))
        } _: {
          try await pages(ClickHouseRequests(telemetry: $0))
        } as: { pages, events in
          pages.map { $0.map { $0.described(events) }.joined(separator: "\n") }.joined(separator: "\n\n")
        }
      }
    }
  }

  @Test func `Within a session any part of a word is found, and its own requests only`() async throws {
    let twins = try await Twins.shop
    let scope = try await twins.store.only("dev.example.shop")
    for query in ["", "eclin", #""d Decl""#, "mira", "-eclin", "-orders", "s1"] {
      for session in ["s1", "s2", "none"] {
        var filter = NetworkFilter()
        filter.session = session
        filter.query = try SearchQuery(query, in: .requests)
        try await twins.compare("\(query) in \(session)") {
          try await SQLiteRequests(store: twins.store).list(scope, filter, after: nil, limit: 100).rows
        } _: {
          try await ClickHouseRequests(telemetry: $0).list(scope, filter, after: nil, limit: 100).rows
        } as: { rows, events in
          rows.map { $0.described(events) }.joined(separator: "\n")
        }
      }
    }
  }

  @Test func `Who sees one project sees nothing of another that has a longer name`() async throws {
    let walled: Set = ["everything", "declined", "mira", "noor", "-mira", "app:shop2", "orders 404", "gold -declined"]
    let twins = try await Twins.shop
    for bundle in ["dev.example.shop", "dev.example.shop2", "dev.example"] {
      let scope = try await twins.store.only(bundle)
      for (name, filter) in try Self.filters().filter({ walled.contains($0.name) }) {
        try await twins.compare("\(name) for \(bundle)") {
          try await SQLiteRequests(store: twins.store).list(scope, filter, after: nil, limit: 100).rows
        } _: {
          try await ClickHouseRequests(telemetry: $0).list(scope, filter, after: nil, limit: 100).rows
        } as: { rows, events in
          rows.map { $0.described(events) }.joined(separator: "\n")
        }
      }
    }
  }

  @Test func `Statistics count what came twice once`() async throws {
    let twins = try await Twins.shop
    let scope = try twins.store.everything()
    for (name, filter) in try Self.filters().filter({ $0.name.hasSuffix("newest") || $0.name.hasPrefix("status:") }) {
      try await twins.compare(name) {
        try await SQLiteRequests(store: twins.store).statistics(scope, filter)
      } _: {
        try await ClickHouseRequests(telemetry: $0).statistics(scope, filter)
      } as: { statistics, _ in
        var json = JSONOutput()
        statistics.write(to: &json)
        return String(buffer: json.buffer)
      }
    }
  }

  @Test func `An exchange has its frames, and no other's`() async throws {
    let twins = try await Twins.shop
    let scope = try await twins.store.only("dev.example.shop")
    var filter = NetworkFilter()
    filter.host = "live.example.com"
    try await twins.compare("one exchange") {
      let requests = SQLiteRequests(store: twins.store)
      let row = try #require(try await requests.list(scope, filter, after: nil, limit: 1).rows.first)
      return try await requests.exchange(scope, row.event)
    } _: {
      let requests = ClickHouseRequests(telemetry: $0)
      let row = try #require(try await requests.list(scope, filter, after: nil, limit: 1).rows.first)
      return try await requests.exchange(scope, row.event)
    } as: { (found: (event: EventRow, frames: [EventRow], frameCount: Int), events) in
      ([found.event] + found.frames).map { "\(events[$0.id] ?? "?") \(String(decoding: $0.payload, as: UTF8.self))" }
        .joined(separator: "\n") + "\n\(found.frameCount)"
    }
    try await twins.compare("all exchanges") {
      let requests = SQLiteRequests(store: twins.store)
      let rows = try await requests.list(scope, NetworkFilter(), after: nil, limit: 100).rows
      return try await requests.exchanges(scope, rows[...])
    } _: {
      let requests = ClickHouseRequests(telemetry: $0)
      let rows = try await requests.list(scope, NetworkFilter(), after: nil, limit: 100).rows
      return try await requests.exchanges(scope, rows[...])
    } as: { (found: (exchanges: [(exchange: HTTPExchange, frames: [HTTPWebSocketFrame])], rows: Int), _) in
      "\(found.rows)\n" + found.exchanges.map { "\($0.exchange) \($0.frames)" }.joined(separator: "\n")
    }
  }

  @Test func `An event that is not there, is no request or is another project's is not found`() async throws {
    let twins = try await Twins.shop
    let everything = try twins.store.everything()
    let scope = try await twins.store.only("dev.example.shop2")
    let store = twins.store
    try await twins.compare("refusals") {
      let requests = SQLiteRequests(store: store)
      let rows = try await requests.list(everything, NetworkFilter(), after: nil, limit: 100).rows
      return try await Self.refusals(requests, scope, rows)
    } _: {
      let requests = ClickHouseRequests(telemetry: $0)
      let rows = try await requests.list(everything, NetworkFilter(), after: nil, limit: 100).rows
      return try await Self.refusals(requests, scope, rows)
    } as: { refusals, _ in
      refusals.joined(separator: "\n")
    }
  }

  private static func refusals(
    _ requests: any RequestReading, _ scope: ReadScope, _ rows: [NetworkRow]
  ) async throws -> [String] {
    var said: [String] = []
    for id in rows.map(\.event) + [Int64.max, -1] {
      do {
        said.append("\(try await requests.exchange(scope, id).event.timestamp)")
      } catch let error as APIError {
        said.append(error.code)
      }
    }
    return said
  }
}
