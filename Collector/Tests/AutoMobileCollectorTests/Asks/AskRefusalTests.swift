import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Asks that are refused` {
  @Test(arguments: [
    ("", "invalid_json"), ("[]", "invalid_ask"), ("{}", "invalid_subject"),
    (#"{"bundleId":"a","user":"u"}"#, "invalid_reason"),
    (#"{"bundleId":"a","user":"u","reason":"  "}"#, "invalid_reason"),
    (#"{"bundleId":"a","user":"u","reason":"a\nb"}"#, "invalid_reason"),
    (#"{"bundleId":"a","user":"u","reason":7}"#, "invalid_reason"),
    (#"{"bundleId":"a","user":"u","reason":""# + String(repeating: "x", count: 301) + #""}"#, "invalid_reason"),
    (#"{"bundleId":"a","user":"u","device":"d","reason":"r"}"#, "invalid_subject"),
    (#"{"bundleId":"a","user":"","reason":"r"}"#, "invalid_subject"),
    (#"{"bundleId":"a","user":7,"reason":"r"}"#, "invalid_subject"),
    (#"{"bundleId":"a","user":"a\u0000b","reason":"r"}"#, "invalid_subject"),
    (#"{"bundleId":"a","user":""# + String(repeating: "x", count: 501) + #"","reason":"r"}"#, "invalid_subject"),
    (#"{"user":"u","reason":"r"}"#, "invalid_bundle"), (#"{"bundleId":"*","user":"u","reason":"r"}"#, "invalid_bundle"),
    (#"{"bundleId":"a b","user":"u","reason":"r"}"#, "invalid_bundle"),
    (#"{"bundleId":"a","user":"u","reason":"r","from":-1}"#, "invalid_range"),
    (#"{"bundleId":"a","user":"u","reason":"r","from":1.5}"#, "invalid_range"),
    (#"{"bundleId":"a","user":"u","reason":"r","to":9223372036854775807}"#, "invalid_range"),
    (#"{"bundleId":"a","user":"u","reason":"r","from":2,"to":1}"#, "invalid_range"),
    (#"{"session":"nobody","reason":"r"}"#, "no_session"),
    (#"{"x":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}", "invalid_json"),
    (#"{"x":""# + String(repeating: "y", count: 20_000) + #""}"#, "too_large"),
  ])
  func `what cannot be asked for is refused, with the reason, and nobody is told`(body: String, code: String)
    async throws
  {
    try await RunningCollector.with { collector in
      let answer = try await collector.askDevices(body)
      #expect(answer.errorCode == code, "\(answer.text.prefix(300))")
      #expect(try await collector.json("/api/asks")["asks"].array.isEmpty)
    }
  }

  @Test func `the same is not asked for twice, and of an app not more than may be`() async throws {
    try await RunningCollector.with { collector in
      _ = try await collector.asked(#"{"bundleId":"a","user":"u","reason":"r"}"#)
      let again = try await collector.askDevices(#"{"bundleId":"a","user":"u","reason":"another"}"#)
      #expect(again.errorCode == "asked_already" && again.text.contains("number 1"))
      for number in 1..<AskRules.mostOfApp {
        _ = try await collector.asked(#"{"bundleId":"a","user":"u\#(number)","reason":"r"}"#)
      }
      #expect(try await collector.askDevices(#"{"bundleId":"a","user":"more","reason":"r"}"#).errorCode == "too_many")
      #expect(try await collector.askDevices(#"{"bundleId":"b","user":"more","reason":"r"}"#).status == 200)
      #expect(try await collector.send(.DELETE, "/api/asks/1").status == 200)
      #expect(try await collector.askDevices(#"{"bundleId":"a","user":"more","reason":"r"}"#).status == 200)
      // In pages, and by what they are about.
      var seen: [Int] = []
      var next: String? = ""
      while let cursor = next {
        let page = try await collector.json("/api/asks?limit=30&app=a" + (cursor.isEmpty ? "" : "&before=\(cursor)"))
        seen += page["asks"].array.compactMap { $0["id"].int }
        next = page["next"].string
      }
      #expect(seen.count == AskRules.mostOfApp + 1 && seen == seen.sorted(by: >))
      #expect(try await collector.json("/api/asks?user=u7")["asks"].array.count == 1)
      #expect(try await collector.json("/api/asks?user=u&open=true")["asks"].array.isEmpty)
      #expect(try await collector.get("/api/asks?user=u&device=d").errorCode == "invalid_subject")
      #expect(try await collector.get("/api/asks?before=x").errorCode == "invalid_cursor")
    }
  }

  @Test func `an app is told of the newest that concern it, and its document stays one that it takes`() async throws {
    try await RunningCollector.with { collector in
      try await collector.put(
        RunningCollector.shop,
        #"{"upload":{"mode":"whenTriggered","asks":[{"id":"by hand","user":"u"}]},"x":{"y":""#
          + String(repeating: "z", count: 31_000) + #""}}"#)
      for number in 0..<40 {
        _ = try await collector.asked(
          #"{"bundleId":"\#(RunningCollector.shop)","user":"u","from":\#(number),"reason":"r"}"#)
      }
      let told = try await collector.tell("user=u")
      let asks = try told.json()["upload"]["asks"].array
      #expect(asks.count == AskRules.mostTold && asks.first?["id"].string == "by hand")
      #expect(asks.last?["id"].string == collector.name(40) && told.body.readableBytes <= 64 << 10)
      #expect(try told.json()["upload"]["mode"].string == "whenTriggered")
      let tag = try #require(told.headers["X-AutoMobile-Config"].first)
      #expect(tag.utf8.count <= 128)
      #expect(try await collector.tell("user=u", tag: tag).status == 304)
    }
  }

  @Test func `what somebody says of itself is read, bounded, and never a way to somebody else's asks`() async throws {
    #expect(Asker("session=a&user=b%26c&device=%C3%BC&version=1.0")?.user == "b&c")
    #expect(Asker("device=%C3%BC")?.device == "ü")
    for text in [
      "", "&", "user", "user=", "=x", "user=%", "user=%FF", "other=x", "user=" + String(repeating: "x", count: 501),
      "user=x&x=" + String(repeating: "y", count: 9000), String(repeating: "&", count: 8000) + "user=x",
    ] { #expect(Asker(text) == nil || text.hasPrefix("&&"), "\(text.prefix(40))") }
    // What comes after many others is not looked at.
    #expect(Asker((0..<20).map { "x\($0)=y" }.joined(separator: "&") + "&user=x") == nil)
    try await RunningCollector.with { collector in
      let base = try await collector.tag(nil)
      _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"eve","reason":"r"}"#)
      for text in ["user=*", "user=%25", "user='eve'", "user=ev", "user=eve%00", "device=", "user=EVE", "eve"] {
        #expect(try await collector.tag(text) == base, "\(text)")
      }
    }
  }

  @Test func `an operator asks for what is of its project, and everybody sees their own`() async throws {
    try await TwoProjects.with { projects in
      let collector = projects.collector
      let made = try await collector.json("/api/projects", headers: TwoProjects.operatorKey)["projects"].array
      let first = try #require(made.first { $0["bundleId"].string == TwoProjects.first }?["id"].int)
      func key(_ role: String) async throws -> [(String, String)] {
        let made = try await collector.post(
          "/api/keys", "{\"project\":\(first),\"role\":\"\(role)\",\"name\":\"\(role)\"}",
          headers: TwoProjects.operatorKey)
        return [("Authorization", "Bearer \(try #require(try made.json()["key"].string))")]
      }
      let (own, viewer) = (try await key("operator"), try await key("viewer"))
      func body(_ bundle: String) -> String { #"{"bundleId":"\#(bundle)","user":"eve","reason":"r"}"# }
      #expect(try await collector.askDevices(body(TwoProjects.second), headers: own).errorCode == "other_project")
      #expect(try await collector.askDevices(body(TwoProjects.first), headers: viewer).status == 403)
      #expect(try await collector.askDevices(body(TwoProjects.first), headers: projects.first).status == 403)
      #expect(try await collector.askDevices(body(TwoProjects.first), headers: own).status == 200)
      let other = try await collector.askDevices(body(TwoProjects.second), headers: TwoProjects.operatorKey)
      let id = try #require(try other.json()["id"].int)
      let seen = try await collector.json("/api/asks", headers: viewer)["asks"].array
      #expect(seen.map(\.["bundleId"].string) == [TwoProjects.first])
      #expect(try await collector.get("/api/asks/\(id)", headers: viewer).status == 404)
      #expect(try await collector.send(.DELETE, "/api/asks/\(id)", headers: own).status == 404)
      #expect(try await collector.json("/api/asks", headers: TwoProjects.operatorKey)["asks"].array.count == 2)
      // An app's key tells no other app's users what is asked of that.
      let told = try await collector.get(
        "/sdk-config?bundleId=\(TwoProjects.second)", headers: projects.first + [("X-AutoMobile-Asker", "user=eve")])
      #expect(told.status == 403)
      let log = try await collector.json("/api/audit?what=eve", headers: TwoProjects.operatorKey)["entries"].array
      #expect(
        log.contains {
          $0["action"].string == "change" && $0["thing"].string == "eve" && $0["route"].string == "POST /api/asks"
        }, "\(log)")
    }
  }

  @Test
  func `an ask has another name than one that is written by hand, and than those of a collector that lost its data`()
    async throws
  {
    let names = Kept<[String]>([])
    for _ in 0..<2 {
      try await RunningCollector.with { collector in
        try await collector.put(RunningCollector.shop, #"{"upload":{"asks":[{"id":"1","user":"by hand"}]}}"#)
        _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"u","reason":"r"}"#)
        let asks = try await collector.tell("user=u").json()["upload"]["asks"].array
        #expect(asks.map(\.["user"].string) == ["by hand", "u"])
        names.set(names.value + asks.compactMap { $0["id"].string })
      }
    }
    #expect(names.value.count == 4 && Set(names.value).count == 3, "\(names.value)")
  }
}
