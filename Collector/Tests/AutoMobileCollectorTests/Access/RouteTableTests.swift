import Foundation
import Synchronization
import Testing

@testable import AutoMobileCollector

/// Every route, from outside: with every kind of key, and in every way in which its path can be written.
@Suite struct `The table of routes` {
  /// A path of the table with names in its braces that nothing has.
  private static func path(_ route: Route) -> String {
    let filled = route.path.replacing("{id}", with: "999999").replacing("{bundle}", with: "com.example.none")
      .replacing("{segment}", with: String(repeating: "0", count: 32)).replacing("/**", with: "/index.html")
    // Held open otherwise.
    return filled == "/sdk-commands" ? filled + "?launchId=none&wait=0" : filled
  }

  private static let tried = Mutex(0)

  /// The status line's number, and the error's code.
  private static func ask(
    _ collector: RunningCollector, _ method: String, _ target: String, _ headers: [String] = []
  ) async throws -> (status: Int, code: String?) {
    tried.withLock { $0 += 1 }
    let socket = try RawSocket(port: collector.port)
    let body = ["POST", "PUT", "DELETE", "PATCH"].contains(method) ? ["Content-Length: 0"] : []
    let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(collector.port)", "Connection: close"]
    await socket.send((lines + headers + body).joined(separator: "\r\n") + "\r\n\r\n")
    let status = await socket.readLine().split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    // A stream does not end.
    guard status >= 400 else { return (status, nil) }
    let answer = await socket.readToEnd()
    let json = answer.range(of: "\r\n\r\n").map { answer[$0.upperBound...] } ?? ""
    let code = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))["error"]["code"].string
    return (status, code)
  }

  private struct Keys {
    var credentials: [(name: String, header: [String])] = []

    init(_ collector: RunningCollector) async throws {
      let own = [("Authorization", "Bearer operator-secret")]
      func key(_ body: String) async throws -> String {
        try #require(try await collector.post("/api/keys", body, headers: own).json()["key"].string)
      }
      func project(_ bundle: String) async throws -> String {
        let made = try await collector.post(
          "/api/projects", "{\"name\":\"\(bundle)\",\"bundleId\":\"\(bundle)\"}", headers: own)
        return try await key("{\"project\":\(try #require(try made.json()["id"].int)),\"role\":\"ingest\"}")
      }
      let first = try await project("com.example.first")
      let second = try await project("com.example.second")
      let token = try await collector.post(
        "/api/ingest/auth/device", "{\"deviceId\":\"d\"}", headers: [("x-public-key", first)])
      let number = try await collector.json("/api/projects", headers: own)["projects"].array.first?["id"].int ?? 0
      let ownViewer = try await key("{\"role\":\"viewer\",\"name\":\"pv\",\"project\":\(number)}")
      let ownOperator = try await key("{\"role\":\"operator\",\"name\":\"po\",\"project\":\(number)}")
      let viewer = try await key("{\"role\":\"viewer\",\"name\":\"v\"}")
      let other = try await key("{\"role\":\"operator\",\"name\":\"o\"}")
      let keys: [(String, String)] = [
        ("wrong", "am_ingest_nothing-of-ours"), ("first", first), ("second", second),
        ("token", try #require(try token.json()["uploadToken"].string)), ("viewer", viewer),
        ("own viewer", ownViewer), ("own operator", ownOperator), ("operator", other), ("started", "started-with-1"),
        ("started operator", "operator-secret"),
      ]
      credentials = [("none", [])] + keys.map { ($0.0, ["Authorization: Bearer \($0.1)"]) }
      for role in ["viewer", "operator", "admin"] {
        let browser = Browser(collector)
        try await browser.signIn(as: role)
        let cookie = browser.cookies.map { "\($0)=\($1)" }.joined()
        credentials.append(
          ("person \(role)", ["Cookie: \(cookie)", "Sec-Fetch-Site: same-origin", "X-AutoMobile-Viewer: 1"]))
      }
    }
  }

  /// What the word says of somebody: nil when they may, else the status of the refusal.
  private static func refusal(_ word: AccessWord, _ who: String) -> Int? {
    switch (word, who) {
    case (.anyone, _): nil
    case (_, "none"), (_, "wrong"): 401
    case (_, "operator"), (_, "started operator"): nil
    // People deliver nothing.
    case (.ingest, _) where who.hasPrefix("person"), (.upload, _) where who.hasPrefix("person"): 403
    case (_, "person admin"): nil
    case (.projectOperator, "person operator"), (.reader, "person operator"), (.fullReader, "person operator"): nil
    case (.projectOperator, "own operator"), (.reader, "own operator"), (.reader, "own viewer"): nil
    case (.operator, "started"), (.projectOperator, "started"): 401
    case (.operator, _), (.projectOperator, _): 403
    case (.reader, "viewer"), (.reader, "started"), (.fullReader, "viewer"), (.fullReader, "started"): nil
    case (.reader, "person viewer"), (.fullReader, "person viewer"): nil
    case (.reader, _), (.fullReader, _): 403
    case (.ingest, "own viewer"), (.upload, "own viewer"): 403
    case (.ingest, "token"), (.ingest, "viewer"), (.upload, "viewer"): 403
    case (.ingest, _), (.upload, _): nil
    }
  }

  private static let refusals = [
    "key_required", "wrong_key", "project_only", "ingest_only", "upload_only", "viewer_only", "not_viewer",
    "not_operator",
    "no_operator_key",
    "foreign_origin",
  ]

  /// Other ways in which somebody may write a path: none of them leads where the path does without the key.
  private static func spellings(_ path: String, port: Int) -> [String] {
    let name = String(path.split(separator: "?")[0])
    let slash = name.dropFirst().firstIndex(of: "/")
    let letter = name.dropFirst().prefix(1).utf8.first.map { "/%" + String($0, radix: 16) + name.dropFirst(2) }
    return [
      "/" + path, "//" + path, "/." + path, "/x/.." + path, "/%2e" + path, "/x/%2E%2E" + path, "/%2F" + path,
      name + "/", name + "//", name + "/.", name + ";x", name + ";x=1/", name + "%00", name + "%0a", name + "%20",
      name + "#x", name + "/..;/" + name, name.uppercased(), "\\" + name.dropFirst(), "/%5C" + name.dropFirst(),
      "http://127.0.0.1:\(port)" + path, "http://127.0.0.1:\(port)/" + path, "http://h/" + path, "HTTP://h" + path,
      "x" + path, "*", name.dropFirst() + "", "/%" + name, "/%C0%AF" + name.dropFirst(), name + "\u{09}", name + "%",
    ]
      + (slash.map {
        [
          name.replacingCharacters(in: $0...$0, with: "//"), name.replacingCharacters(in: $0...$0, with: "/./"),
          name.replacingCharacters(in: $0...$0, with: "%2F"), name.replacingCharacters(in: $0...$0, with: "%2f"),
          name.replacingCharacters(in: $0...$0, with: "\\"), name.replacingCharacters(in: $0...$0, with: "/x/../"),
        ]
      } ?? []) + [letter].compactMap(\.self)
  }

  @Test func `each route does what its word says, for every key and every spelling`() async throws {
    let routes = try Collector.routes()
    #expect(routes.count > 60)
    try await RunningCollector.with { options in
      options.ingestKeys = ["started-with-1"]
      options.operatorKeys = ["operator-secret"]
    } _: { collector in
      let keys = try await Keys(collector)
      for route in routes {
        let path = Self.path(route)
        for (who, header) in keys.credentials {
          let answer = try await Self.ask(collector, route.method, path, header)
          let place = Comment(rawValue: "\(route.method) \(path) by \(who): \(answer)")
          if let expected = Self.refusal(route.access, who) {
            #expect(answer.status == expected && Self.refusals.contains(answer.code ?? ""), place)
          } else {
            #expect(answer.status > 0 && answer.status < 500 && !Self.refusals.contains(answer.code ?? ""), place)
          }
        }
        guard route.access != .anyone else { continue }
        for spelling in Self.spellings(path, port: collector.port) {
          let answer = try await Self.ask(collector, route.method, spelling)
          #expect(answer.status >= 400 && answer.status < 500, "\(route.method) \(spelling): \(answer)")
        }
        for method in ["HEAD", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "get"] {
          let answer = try await Self.ask(collector, method, path)
          #expect(answer.status >= 400 && answer.status < 500, "\(method) \(path): \(answer)")
        }
        for header in ["X-HTTP-Method-Override: GET", "X-Original-URL: /health", "X-Forwarded-For: 127.0.0.1"] {
          let answer = try await Self.ask(collector, route.method, path, [header])
          #expect(answer.status == 401, "\(route.method) \(path) with \(header): \(answer)")
        }
        for site in ["cross-site", "same-site"] {
          let headers = ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
          let operators = keys.credentials.first { $0.name == "operator" }?.header ?? []
          let answer = try await Self.ask(collector, route.method, path, operators + headers)
          #expect(answer.status == 403 && answer.code == "foreign_origin", "\(route.method) \(path) from \(site)")
        }
      }
      // Nothing was made on the way.
      let left = try await collector.json("/api/projects", headers: [("X-API-Key", "operator-secret")])
      #expect(left["keys"].array.count == 2 && left["projects"].array.count == 2)
    }
    print("requests: \(Self.tried.withLock { $0 }) over \(routes.count) routes")
  }

  @Test func `the page lists every route with its word`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../Documentation/Routes.md")
    let listed = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") && $0.contains("| `/") }.map(String.init)
    let routes = try Collector.routes().map { "| `\($0.method)` | `\($0.path)` | \($0.access.rawValue) |" }
    #expect(Set(listed) == Set(routes))
    #expect(listed.count == routes.count)
  }
}
