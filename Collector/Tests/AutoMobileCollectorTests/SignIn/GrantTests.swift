import Testing

@testable import AutoMobileCollector

@Suite struct `Roles of people` {
  private func person(_ grants: String) -> Person { .byLink("Mira", [Grant](kept: grants)) }

  @Test func `grants are read as they are written, and nothing else is one`() throws {
    for text in ["viewer", "operator", "admin", "viewer@com.example.shop", "operator@a.b"] {
      #expect(try Grant(text).text == text)
    }
    for text in ["", "@", "root", "Viewer", "viewer@", "admin@com.example.shop", "viewer@a b", "viewer@*", " viewer"] {
      #expect(throws: APIError.self, "\(text)") { try Grant(text) }
    }
    // What is kept and cannot be read is not granted.
    #expect([Grant](kept: "viewer nonsense operator@a.b") == [try Grant("viewer"), try Grant("operator@a.b")])
  }

  @Test func `the reach follows from all grants together`() {
    #expect(person("viewer").reach(.viewer) == .everything)
    #expect(person("viewer").reach(.operator) == nil)
    #expect(person("viewer@a.b viewer@c.d").reach(.viewer) == .projects(["a.b", "c.d"]))
    #expect(person("viewer operator@a.b").reach(.viewer) == .everything)
    #expect(person("viewer operator@a.b").reach(.operator) == .projects(["a.b"]))
    #expect(person("admin").reach(.operator) == .everything)
    #expect(person("operator").reach(.admin) == nil)
    #expect(person("").reach(.viewer) == nil)
    #expect(person("admin").isAdmin && !person("operator").isAdmin)
  }

  @Test func `an operator decides about projects, and not about who else may`() async throws {
    try await Browser.with { collector, browser in
      for bundle in ["com.example.shop", "com.example.other"] {
        let made = try await collector.send(
          .POST, "/api/projects", headers: Browser.operatorKey + [("Content-Type", "application/json")],
          body: .init(string: "{\"bundleId\":\"\(bundle)\",\"name\":\"x\"}"))
        #expect(made.status == 200)
      }
      for (project, other) in [(nil, 200), ("com.example.shop", 403)] as [(String?, Int)] {
        try await browser.signIn(as: "operator", project: project)
        #expect(try await browser.send(.POST, "/api/keys", "{\"project\":1}").status == 200)
        #expect(try await browser.send(.POST, "/api/keys", "{\"project\":2}").status == other)
        #expect(try await browser.send(.PUT, "/api/config/com.example.shop", "{\"a\":{}}").status == 200)
        #expect(try await browser.send(.PUT, "/api/config/com.example.other", "{\"a\":{}}").status == other)
        for body in ["{\"role\":\"operator\"}", "{\"role\":\"operator\",\"project\":1}"] {
          #expect(try await browser.send(.POST, "/api/keys", body).status == 403, "\(body)")
        }
        for (method, path) in [
          ("POST", "/api/sign-in/links"), ("POST", "/api/projects"), ("PUT", "/api/settings/retention"),
        ] {
          let answer = try await browser.send(.init(rawValue: method), path, "{}")
          #expect(answer.status == 403 && answer.errorCode == "not_operator", "\(path)")
        }
        #expect(try await browser.send(.GET, "/api/audit").status == 403)
      }
    }
  }

  @Test func `who is signed in for one project sees nothing of another`() async throws {
    try await Browser.with { collector, browser in
      let made = try await collector.send(
        .POST, "/api/projects", headers: Browser.operatorKey + [("Content-Type", "application/json")],
        body: .init(string: "{\"bundleId\":\"com.example.shop\",\"name\":\"Shop\"}"))
      #expect(made.status == 200)
      for (bundle, session) in [("com.example.shop", "ours"), ("com.example.other", "theirs")] {
        var batch = RawBatch(bundleId: bundle)
        batch.add(
          .event, "{\"eventType\":\"log\",\"timestamp\":1700000000000,\"message\":\"a\",\"sessionId\":\"\(session)\"}")
        #expect(try await collector.post(raw: batch, headers: [("X-API-Key", "started-with-1")]).status == 200)
      }
      let all = Browser(collector)
      try await all.signIn(as: "viewer", name: "Lea")
      while try await all.send(.GET, "/api/sessions").json()["sessions"].array.count < 2 {
        try await Task.sleep(for: .milliseconds(5))
      }
      try await browser.signIn(as: "viewer", project: "com.example.shop")
      let seen = try await browser.send(.GET, "/api/sessions").json()["sessions"].array
      #expect(seen.map { $0["sessionId"].string } == ["ours"])
      #expect(try await browser.send(.GET, "/api/sessions/theirs").status == 404)
    }
  }

  @Test func `viewers read, and only admins do what an operator's key does`() async throws {
    try await Browser.with { collector, browser in
      let made = try await collector.send(
        .POST, "/api/projects", headers: Browser.operatorKey + [("Content-Type", "application/json")],
        body: .init(string: "{\"bundleId\":\"com.example.shop\",\"name\":\"Shop\"}"))
      #expect(made.status == 200)
      let tries: [(String, String?, Int, Int)] = [
        ("viewer", nil, 200, 403), ("viewer", "com.example.shop", 200, 403), ("operator", "com.example.shop", 200, 403),
        ("admin", nil, 200, 200),
      ]
      for (role, project, reading, changing) in tries {
        try await browser.signIn(as: role, project: project)
        #expect(try await browser.send(.GET, "/api/sessions").status == reading, "\(role)")
        let key = try await browser.send(.POST, "/api/keys", "{\"role\":\"operator\",\"name\":\"k\"}")
        #expect(key.status == changing, "\(role): \(key.text)")
        // People deliver nothing.
        let delivered = try await browser.send(.POST, "/sdk-events", "{\"events\":[]}")
        #expect(delivered.status == 403 && delivered.errorCode == "viewer_only", "\(role)")
      }
    }
  }

  @Test func `a change is noted down under the name of who is signed in, whatever the request claims`() async throws {
    try await Browser.with { _, browser in
      try await browser.signIn(as: "admin", name: "Mira Falk")
      let claim = [("X-AutoMobile-Author", "Somebody%20else")]
      #expect(
        try await browser.send(.PUT, "/api/settings/retention", "{\"days\":30}", headers: claim).json()["retention"][
          "changedBy"
        ].string == "Mira Falk")
    }
  }
}
