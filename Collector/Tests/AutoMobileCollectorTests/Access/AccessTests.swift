import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Access` {
  @Test(arguments: ["0.0.0.0", "192.168.1.10", "::", "collector.example"])
  func `listening for other machines without a key is refused at the start`(host: String) throws {
    let directory = try TemporaryDirectory()
    var options = CollectorOptions(dataDirectory: directory.url)
    options.host = host
    #expect(throws: CollectorError.keyRequired(host: host)) { try Collector(options) }
    #expect(throws: CollectorError.emptyKey) {
      options.ingestKeys = [""]
      _ = try Collector(options)
    }
  }

  @Test func `with a key everything that takes or gives data asks for it`() async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = ["correct-horse", "second-key-1"]
    } _: { collector in
      for path in ["/api/sessions", "/api/events", "/api/tail", "/api/launches", "/sdk-events", "/metrics"] {
        let answer = try await collector.get(path)
        #expect(answer.status == 401)
        #expect(answer.errorCode == "key_required")
      }
      #expect(try await collector.post(envelope: "{\"events\":[]}").status == 401)
      #expect(
        try await collector.get("/api/sessions", headers: [("Authorization", "Bearer wrong-horse!!")]).status == 401)
      #expect(
        try await collector.get("/api/sessions", headers: [("Authorization", "Bearer correct-horse")]).status == 200)
      #expect(try await collector.get("/api/sessions", headers: [("X-API-Key", "second-key-1")]).status == 200)
      let posted = try await collector.post(envelope: "{\"events\":[]}", headers: [("X-API-Key", "second-key-1")])
      #expect(posted.status == 200)
      #expect(try await collector.get("/health").status == 200)
      #expect(try await collector.get("/").status == 200)
    }
  }

  @Test func `a page that points its own host name here reads nothing`() async throws {
    try await RunningCollector.with { collector in
      for host in [
        "evil.example", "evil.example:\(collector.port)", "localhost.evil.example", "127.0.0.1.evil.example",
      ] {
        let answer = try await collector.get("/api/sessions", headers: [("Host", host)])
        #expect(answer.status == 421)
        #expect(answer.errorCode == "wrong_host")
      }
      for host in ["localhost:\(collector.port)", "127.0.0.1", "[::1]:1"] {
        #expect(try await collector.get("/api/sessions", headers: [("Host", host)]).status == 200)
      }
    }
  }

  @Test func `a page of another origin can neither read, post nor drain`() async throws {
    try await RunningCollector.with { collector in
      let foreign = [("Origin", "https://evil.example")]
      #expect(try await collector.get("/sdk-events", headers: foreign).status == 403)
      #expect(try await collector.post(envelope: "{\"events\":[]}", headers: foreign).status == 403)
      #expect(try await collector.get("/sdk-events", headers: [("Sec-Fetch-Site", "cross-site")]).status == 403)
      let own = [("Origin", "http://127.0.0.1:\(collector.port)"), ("Sec-Fetch-Site", "same-origin")]
      let answer = try await collector.get("/api/sessions", headers: own)
      #expect(answer.status == 200)
      #expect(answer.headers["Access-Control-Allow-Origin"].isEmpty)
      // Somebody follows a link.
      let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
      #expect(try await collector.get("/", headers: link).status == 200)
    }
  }

  @Test func `keys are compared whole`() {
    let key = IngestKey("abcdefgh")
    #expect(key.matches("abcdefgh"))
    for other in ["", "a", "abcdefg", "abcdefghi", "abcdefgH", "ABCDEFGH"] { #expect(!key.matches(other)) }
  }

  @Test func `one directory has one collector`() async throws {
    try await RunningCollector.with { collector in
      #expect(throws: CollectorError.directoryInUse(path: collector.directory.path)) {
        try Collector(CollectorOptions(dataDirectory: collector.directory))
      }
    }
  }

  @Test func `a directory that cannot be used is named`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "file")
    try Data().write(to: file)
    #expect {
      try Collector(CollectorOptions(dataDirectory: file.appending(path: "below")))
    } throws: { error in
      if case .directoryUnusable = error as? CollectorError { true } else { false }
    }
  }
}
