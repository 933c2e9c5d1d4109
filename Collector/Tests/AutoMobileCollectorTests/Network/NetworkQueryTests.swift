import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Requests` {
  /// Six requests of two sessions; by their paths: menu, drink, pay, away, called, mocked.
  private static func story() -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1", user: "ada")
    batch.addContext(2, session: "s-2", user: "bob")
    let api = "https://api.shop.example"
    batch.add(
      RecordedRequest(
        url: "\(api)/v1/menu?section=seasonal", duration: 40, at: 1000,
        more: ["\"responseBodySize\":512,\"responseBody\":\"{\\n\\\"title\\\":\\n\\\"Flat white\\\"}\""]))
    batch.add(RecordedRequest(url: "\(api)/v1/drinks/42", status: 404, duration: 15.5, at: 2000))
    batch.add(
      RecordedRequest(
        method: "POST", url: "\(api)/v1/pay", status: 503, duration: 900, at: 3000,
        more: [
          "\"tracerId\":\"conv-7\"", "\"requestHeaders\":{\"X-Conversation\":\"conv-7\"}",
          "\"transport\":{\"bytesSent\":300,\"bytesReceived\":120}", "\"requestBodySize\":10",
        ]))
    batch.add(
      RecordedRequest(
        url: "https://img.shop.example:8443/away", status: nil, duration: 5000, at: 4000, context: 2,
        more: ["\"error\":\"timed out\""]))
    batch.add(
      RecordedRequest(
        url: "\(api)/v1/called", status: nil, duration: 20, at: 5000, context: 2,
        more: ["\"error\":\"cancelled\"", "\"errorDomain\":\"NSURLErrorDomain\"", "\"errorCode\":-999"]))
    batch.add(
      RecordedRequest(
        method: "post", url: "\(api)/graphql", duration: 30, at: 6000, context: 2,
        more: ["\"mockRule\":\"empty-basket\"", "\"graphQLOperation\":\"Basket\""]))
    return batch
  }

  private static func paths(_ answer: JSONValue) -> [String] {
    answer["requests"].array.compactMap { $0["path"].string?.split(separator: "/").last.map(String.init) }
  }

  @Test func `filters leave what they say, alone and together`() async throws {
    let expected: [(query: String, paths: [String])] = [
      ("", ["graphql", "called", "away", "pay", "42", "menu"]),
      ("sort=slowest", ["away", "pay", "menu", "graphql", "called", "42"]),
      ("session=s-2", ["graphql", "called", "away"]), ("session=nobody", []),
      ("session=s-2&sort=slowest", ["away", "graphql", "called"]),
      ("method=post", ["graphql", "pay"]), ("method=POST,DELETE", ["graphql", "pay"]),
      ("status=404", ["42"]), ("status=4xx,5xx", ["pay", "42"]), ("status=none", ["called", "away"]),
      ("host=img.shop.example", ["away"]), ("host=*.SHOP.example&status=5xx", ["pay"]), ("host=api", []),
      ("path=/v1/*", ["called", "pay", "42", "menu"]), ("path=/v1/drinks/??", ["42"]), ("path=*[a-z]*", []),
      ("route=/v1/drinks/:id", ["42"]), ("minMs=900", ["away", "pay"]), ("minMs=900&sort=slowest", ["away", "pay"]),
      ("tracer=conv-7", ["pay"]), ("tracer=conv-7&session=s-2", []), ("tracer=conv-7&sort=slowest", ["pay"]),
      ("mocked=true", ["graphql"]), ("mocked=false&method=POST", ["pay"]),
      ("failed=true", ["away", "pay", "42"]), ("failed=true&sort=slowest", ["away", "pay", "42"]),
      ("failed=true&session=s-2", ["away"]), ("host=api.shop.example&failed=true", ["pay", "42"]),
      ("app=dev.example.shop&method=POST", ["graphql", "pay"]), ("app=other", []),
      ("from=2000&to=4000", ["pay", "42"]), ("from=2000&to=4000&sort=slowest", ["pay", "42"]),
      ("q=flat", ["menu"]), ("q=title", ["menu"]), ("q=conv-7", ["pay"]), ("q=seasonal&method=POST", []),
      ("q=lat%20whit&session=s-1", ["menu"]), ("q=flat&sort=slowest", ["menu"]), ("q=timed%20out", ["away"]),
    ]
    for fullText in [true, false] {
      try await RunningCollector.with {
        $0.fullTextSearch = fullText
      } _: { collector in
        var batch = Self.story()
        batch.addLog("the network request for a flat white, conv-7")
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 7)
        for (query, paths) in expected {
          let answer = try await collector.json("/api/network?\(query)")
          #expect(Self.paths(answer) == paths, "\(query), with full text search: \(fullText)")
        }
      }
    }
  }

  @Test func `a request is listed with what one needs to know at a glance`() async throws {
    try await RunningCollector.with { collector in
      let batch = Self.story()
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 6)
      let list = try await collector.json("/api/network")["requests"].array
      let pay = list[3]
      #expect(pay["method"].string == "POST" && pay["host"].string == "api.shop.example")
      #expect(pay["statusCode"].int == 503 && pay["durationMs"].int == 900 && pay["failed"].bool == true)
      #expect(pay["sent"].int == 300 && pay["received"].int == 120 && pay["tracerId"].string == "conv-7")
      #expect(pay["sessionId"].string == "s-1" && pay["userId"].string == "ada")
      #expect(list[0]["mockRule"].string == "empty-basket" && list[0]["graphQLOperation"].string == "Basket")
      #expect(list[1]["failed"].bool == false && list[1]["error"].string == "cancelled")
      #expect(list[5]["query"].string == "section=seasonal")
      // The one that timed out, not the one that the app called off.
      #expect(try await collector.json("/api/sessions/s-2")["errors"].int == 1)

      let id = try #require(pay["id"].int)
      let one = try await collector.json("/api/network/\(id)")
      #expect(one["event"]["payload"]["requestHeaders"]["X-Conversation"].string == "conv-7")
      #expect(one["event"]["context"]["userId"].string == "ada" && one["frames"].array.isEmpty)
      #expect(try await collector.get("/api/network/999").status == 404)
      #expect(try await collector.get("/api/network/x").status == 400)
    }
  }

  @Test func `a request that outlived its app has not failed, and stands among those without an answer`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.add(
        RecordedRequest(url: "http://h/pay", status: nil, duration: nil, at: 1000, more: ["\"unfinished\":true"]))
      batch.add(
        RecordedRequest(url: "http://h/odd", status: nil, duration: nil, at: 2000, more: ["\"unfinished\":false"]))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      let list = try await collector.json("/api/network?status=none")["requests"].array
      #expect(list.map { $0["unfinished"].bool } == [nil, true] && list.map { $0["failed"].bool } == [true, false])
      #expect(Self.paths(try await collector.json("/api/network?failed=true")) == ["odd"])
      #expect(Self.paths(try await collector.json("/api/network?status=unfinished")) == ["pay"])
      #expect(try await collector.json("/api/sessions/s-1")["errors"].int == 1)
      let outline = try await collector.json("/api/sessions/s-1/outline")
      #expect(outline["severities"].array.compactMap(\.int) == [3, 4], "it stands out, and is no error")
    }
  }

  @Test(arguments: [
    "status=40x", "status=ok", "minMs=fast", "minMs=-1", "mocked=maybe", "failed=2", "from=yesterday", "sort=best",
    "before=1", "limit=0", "path=*a*b*c*d*e*f*g*h*i*",
  ])
  func `a filter that is no good is refused with a word on what it looks like`(query: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.get("/api/network?\(query)")
      #expect(answer.status == 400)
      #expect(try answer.json()["error"]["message"].string?.isEmpty == false)
    }
  }

  @Test(arguments: ["", "sort=slowest", "session=s-1", "session=s-1&sort=slowest", "q=item", "host=h&sort=slowest"])
  func `pages follow each other without a gap or a repetition, equal keys too`(query: String) async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for index in 0..<60 {
        batch.add(RecordedRequest(url: "http://h/item/\(index)", duration: Double(index % 4), at: 1000 + index / 7))
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 60)
      var seen: [Int] = []
      var cursor: String?
      repeat {
        let page = try await collector.json(
          "/api/network?limit=7&\(query)" + (cursor.map { "&before=\($0)" } ?? ""))
        seen += page["requests"].array.compactMap { $0["id"].int }
        cursor = page["next"].string
      } while cursor != nil
      #expect(seen.count == 60 && Set(seen).count == 60)
    }
  }

  @Test func `statistics count by endpoint and host, things of one kind as one`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for index in 1...100 {
        batch.add(
          RecordedRequest(
            url: "http://h/v1/orders/\(index)", status: index <= 5 ? 500 : 200, duration: Double(index),
            at: 1000 * index, more: ["\"responseBodySize\":10"]))
      }
      batch.add(RecordedRequest(method: "DELETE", url: "http://h/v1/orders/7", status: 204, duration: nil))
      batch.add(RecordedRequest(url: "http://i/9b2e7c1a-0d4f-4a53-8f6e-1c2d3e4f5a6b/v1/R-2041?x=1"))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 102)
      let stats = try await collector.json("/api/network/stats")
      #expect(stats["count"].int == 102 && stats["failed"].int == 5 && stats["partial"].bool == false)
      let first = stats["endpoints"][0]
      #expect(first["route"].string == "/v1/orders/:id" && first["method"].string == "GET")
      #expect(first["count"].int == 100 && first["failed"].int == 5 && first["received"].int == 1000)
      #expect(first["medianMs"].int == 50 && first["p95Ms"].int == 95 && first["slowestMs"].int == 100)
      let routes = stats["endpoints"].array.compactMap { $0["route"].string }
      #expect(Set(routes) == ["/v1/orders/:id", "/:id/v1/:id"])
      #expect(stats["hosts"].array.compactMap { $0["host"].string } == ["h", "i"])
      #expect(stats["trend"].array.count == NetworkStatistics.buckets)
      let failed = try await collector.json("/api/network/stats?failed=true&host=h")
      #expect(failed["count"].int == 5 && failed["endpoints"].array.count == 1)
      #expect(try await collector.json("/api/network/stats?session=nobody")["count"].int == 0)
    }
  }

  @Test(arguments: [
    ("https://user:pw@API.example:8443/a/b?q=1#f", "api.example", "/a/b", "q=1"),
    ("http://[::1]:80/x", "[::1]", "/x", nil), ("wss://h", "h", "/", nil), ("/only/a/path", "", "/only/a/path", nil),
    ("", "", "/", nil), ("a?b://c", "", "a", "b://c"), ("http://", "", "/", nil), ("://@:?", "", "/", ""),
  ])
  func `an address is taken apart, whatever it is`(url: String, host: String, path: String, query: String?) {
    let address = RequestAddress(url: url)
    #expect(address.host == host && address.path == path && address.query == query)
  }

  @Test(arguments: [
    ("/v1/orders/17", "/v1/orders/:id"), ("/v2/flat-white", "/v2/flat-white"), ("/R-2041", "/:id"),
    ("/a/deadbeef01", "/a/:id"), ("/img/icon-512.png", "/img/icon-512.png"), ("/", "/"), ("/oauth2/t", "/oauth2/t"),
    ("/" + Array(repeating: "x", count: 20).joined(separator: "/"), "/x/x/x/x/x/x/x/x/x/x/x/…"),
  ])
  func `paths of like things are one pattern`(path: String, pattern: String) {
    #expect(RequestAddress(url: "http://h" + path).pattern == pattern)
  }

  @Test func `a database from before there was a list of requests gets it`() async throws {
    let directory = try TemporaryDirectory()
    let batch = Self.story()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 6)
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { database in
      for table in ["network", "network_host", "network_route"] { try database.execute(sql: "DROP TABLE \(table)") }
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '5: requests'")
    }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      let answer = try await collector.json("/api/network?sort=slowest")
      #expect(Self.paths(answer) == ["away", "pay", "menu", "graphql", "called", "42"])
      // What is delivered a second time is not listed a second time.
      try await collector.post(raw: batch)
      try await collector.wait(for: "/api/launches") { $0.launch(batch.launch)["duplicates"].int == 6 }
      #expect(try await collector.json("/api/network")["requests"].array.count == 6)
    }
  }

  @Test func `hostile requests are listed, counted and answered`() async throws {
    let bomb = "<script>\u{1B}[31m\u{0}\"\\"
    let hostile = [
      RecordedRequest(
        method: bomb, url: bomb, status: nil, duration: nil, more: ["\"error\":\(RecordedRequest.text(bomb))"]),
      RecordedRequest(
        url: "http://" + String(repeating: "h", count: 5000) + "/" + String(repeating: "p/", count: 5000),
        status: -9_000_000_000, duration: 1e300),
      RecordedRequest(
        url: "x",
        more: [
          "\"transport\":[1]", "\"redirects\":{}", "\"timings\":7", "\"requestHeaders\":[]", "\"responseBody\":5",
          "\"responseBodySize\":-4", "\"requestBodySize\":99999999999999999999", "\"error\":{}", "\"tracerId\":3",
        ]),
      RecordedRequest(url: "wss://h/socket", status: 101, more: ["\"requestId\":9"]),
    ]
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for request in hostile { batch.add(request) }
      batch.add(.event, "{\"eventType\":\"network_request\",\"timestamp\":1,\"method\":[],\"url\":{\"a\":[]}}")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: hostile.count + 1)
      let list = try await collector.json("/api/network")["requests"].array
      #expect(list.count == hostile.count + 1)
      for request in list {
        let id = try #require(request["id"].int)
        #expect(try await collector.get("/api/network/\(id)").status == 200)
      }
      #expect(try await collector.json("/api/network/stats")["count"].int == hostile.count + 1)
      for query in ["q=\(bomb.inQuery)", "path=\(bomb.inQuery)", "host=%5B*", "tracer=%00", "session='%3B--"] {
        #expect(try await collector.get("/api/network?\(query)").status == 200, "\(query)")
      }
    }
  }

  @Test func `frames of a WebSocket come with its request, by its name or its URL`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.add(RecordedRequest(url: "wss://h/a", status: 101, at: 1000, more: ["\"requestId\":\"r-1\""]))
      batch.add(RecordedRequest(url: "wss://h/b", status: 101, at: 1000, more: ["\"requestId\":\"r-2\""]))
      func frame(_ url: String, _ id: String?, at: Int) {
        let name = id.map { ",\"requestId\":\"\($0)\"" } ?? ""
        batch.add(
          .event,
          "{\"eventType\":\"websocket_frame\",\"timestamp\":\(at),\"contextId\":1,\"url\":\"\(url)\",\"direction\":\"sent\",\"frameType\":\"text\"\(name)}"
        )
      }
      frame("wss://h/a", "r-1", at: 1100)
      frame("wss://h/a", nil, at: 1200)
      frame("wss://h/a", "r-2", at: 1300)
      frame("wss://h/b", nil, at: 1)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 6)
      let list = try await collector.json("/api/network")["requests"].array
      let id = try #require(list.first { $0["path"].string == "/a" }?["id"].int)
      let one = try await collector.json("/api/network/\(id)")
      #expect(one["frames"].array.compactMap { $0["timestamp"].int } == [1100, 1200])
      #expect(one["frameCount"].int == 2)
    }
  }
}
