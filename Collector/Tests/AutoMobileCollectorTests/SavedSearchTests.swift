import Testing

@testable import AutoMobileCollector

@Suite struct `Saved searches` {
  private static func names(_ collector: RunningCollector) async throws -> [String] {
    try await collector.json("/api/searches")["searches"].array.compactMap { $0["name"].string }
  }

  @Test func `a search is saved, replaced, renamed and deleted, and outlives the collector`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let saved = try await collector.post("/api/searches", ##"{"name":"zürich ☕️","address":"#/?q=a%20b"}"##)
      let id = try #require(try saved.json()["id"].int)
      #expect(try await collector.post("/api/searches", ##"{"name":"Beta","address":"#/?has=crash"}"##).status == 200)
      // The same name again leads somewhere else; it is still one.
      let again = try await collector.post("/api/searches", ##"{"name":"zürich ☕️","address":"#/?q=c"}"##)
      #expect(try again.json()["id"].int == id)
      #expect(try await Self.names(collector) == ["Beta", "zürich ☕️"])
      #expect(try await collector.replace("/api/searches/\(id)", with: ##"{"name":"Alpha"}"##).status == 200)
      let taken = try await collector.replace("/api/searches/\(id)", with: ##"{"name":"Beta"}"##)
      #expect(taken.status == 409 && taken.errorCode == "name_taken")
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      let searches = try await collector.json("/api/searches")["searches"].array
      #expect(searches.map { $0["name"].string } == ["Alpha", "Beta"])
      #expect(searches.first?["address"].string == "#/?q=c")
      let id = try #require(searches.first?["id"].int)
      #expect(try await collector.send(.DELETE, "/api/searches/\(id)").status == 200)
      #expect(try await collector.send(.DELETE, "/api/searches/\(id)").errorCode == "no_search")
      #expect(try await collector.replace("/api/searches/\(id)", with: ##"{"name":"x"}"##).status == 404)
      #expect(try await Self.names(collector) == ["Beta"])
    }
  }

  @Test(arguments: [
    (##"{"name":"","address":"#/"}"##, "invalid_name"), (##"{"name":"  ","address":"#/"}"##, "invalid_name"),
    (##"{"address":"#/"}"##, "invalid_name"), (##"{"name":"a\u0000b","address":"#/"}"##, "invalid_name"),
    (##"{"name":7,"address":"#/"}"##, "invalid_name"),
    (##"{"name":"a","address":"https://example.com"}"##, "invalid_address"),
    (##"{"name":"a","address":"javascript:alert(1)"}"##, "invalid_address"), (##"{"name":"a"}"##, "invalid_address"),
    (##"{"name":"a","address":"#/\n"}"##, "invalid_address"),
  ])
  func `what is no name or no place in the viewer is refused`(body: String, code: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.post("/api/searches", body)
      #expect(answer.status == 400 && answer.errorCode == code)
      #expect(try await Self.names(collector) == [])
    }
  }

  @Test func `there are so many and no more, and long names are refused`() async throws {
    try await RunningCollector.with { collector in
      @Sendable func save(_ name: String) async throws -> RunningCollector.Answer {
        try await collector.post("/api/searches", "{\"name\":\"\(name)\",\"address\":\"#/\"}")
      }
      for index in 0..<SavedSearches.most {
        let status = try await save("n\(index)").status
        #expect(status == 200)
      }
      let tooMany = try await save("one more")
      #expect(tooMany.errorCode == "too_many")
      // One that is there may still lead elsewhere.
      let again = try await save("n7")
      #expect(again.status == 200)
      let long = try await save(String(repeating: "é", count: SavedSearches.longestName + 1))
      #expect(long.status == 400)
      let count = try await Self.names(collector).count
      #expect(count == SavedSearches.most)
    }
  }

  @Test func `who sees one project gets none, whoever asks for them`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let searches = SavedSearches(state: store.state)
    let id = try await searches.save(name: "a", address: "#/", by: "ada", at: 1)
    #expect(try await searches.all(store.readScope()).map(\.id) == [id])
    let scope = try await store.readScope(for: "com.example.app")
    let error = await #expect(throws: APIError.self) { try await searches.all(scope) }
    #expect(error?.code == "project_only")
    try store.close()
  }

  @Test func `whoever may look may save; a project's key may neither`() async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = ["viewer-key-1"]
      options.operatorKeys = ["operator-secret"]
    } _: { collector in
      let body = ##"{"name":"a","address":"#/"}"##
      #expect(try await collector.post("/api/searches", body).status == 401)
      #expect(try await collector.post("/api/searches", body, headers: [("X-API-Key", "viewer-key-1")]).status == 200)
      let foreign = try await collector.post(
        "/api/searches", body, headers: [("X-API-Key", "viewer-key-1"), ("Origin", "https://evil.example")])
      #expect(foreign.status == 403)
    }
  }
}
