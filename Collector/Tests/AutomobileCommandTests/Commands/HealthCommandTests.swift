import AutoMobileCollector
import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Health from the command line` {
  @Test func `the questions are answered, as text and as JSON`() async throws {
    try await Served.with { served in
      let empty = try await Tool.run("health", "--url", served.url)
      #expect(empty.code == 0 && empty.errors.contains("No app has sent anything"))
      let now = WallClock.now
      try await served.deliver([
        Served.event("custom", ["name": "App Launch", "properties": ["kind": "cold", "totalMs": 700]], at: now),
        Served.event(
          "custom",
          ["name": "Frames", "properties": ["screen": "Menu", "frames": 200, "slow": 3, "frozen": 1, "worstMs": 800]],
          at: now),
        Served.event(
          "crash",
          ["errorDomain": "SIGSEGV", "stackTrace": "", "bundleId": "com.example.cli", "appVersion": "3.1.4"], at: now),
      ])
      let text = try await Tool.run("health", "--url", served.url, environment: ["COLUMNS": "120"])
      #expect(text.code == 0)
      #expect(text.output.contains("0 of 1 crash-free · 1 session · 1 crashed"), "\(text.output)")
      #expect(text.output.contains("median 700 ms"))
      #expect(text.output.contains("1.5 % slow · 200 frames · 1 frozen · worst 800 ms"))
      #expect(text.output.contains("1.5 % of 200"), "so does the row of the version: \(text.output)")
      #expect(text.output.contains("3 recorded · 3 stored · 0 dropped · 0 lost"))
      #expect(text.lines.last?.contains("3.1.4") == true)
      let json = try JSON(text: try await Tool.run("health", "--url", served.url, "--json").output)
      #expect(json["launchTime"]?["count"]?.int == 1)
      let linked = try await Tool.run(
        "health", "--link", "--app", "com.example.cli", "--app-version", "3.1 4", "--since", "8w", "--url", served.url)
      let page = "\(served.url)#/health?app=com.example.cli&version=3.1%204&days=90"
      #expect(linked.lines.first.map(String.init) == page, "\(linked.output)\(linked.errors)")
      let address = try JSON(text: try await Tool.run("health", "--link", "--json", "--url", served.url).output)
      #expect(address["viewerUrl"]?.string == "\(served.url)#/health" && json["viewerUrl"] == nil)
      let other = try await Tool.run("health", "--url", served.url, "--json", "--app-version", "9", "--since", "2h")
      #expect(try JSON(text: other.output)["sessions"]?["count"]?.int == 0)
      let wrong = try await Tool.run("health", "--url", served.url, "--since", "soon")
      #expect(wrong.code == 2)
    }
  }

  @Test(arguments: [
    (0, 0, "–"), (0, 5, "0 %"), (5, 5, "100 %"), (1, 200_000, "< 0.01 %"), (199_999, 200_000, "> 99.99 %"),
    (1, 3, "33 %"), (199, 200, "99.5 %"),
  ])
  func `shares have as many digits as it takes`(part: Int, whole: Int, text: String) {
    #expect(Format.share(part, of: whole) == text)
  }

  @Test(arguments: [
    (0, 0, "–"), (1, 7, "1 of 7"), (0, 19, "0 of 19"), (1, 20, "5.0 % of 20"), (3, 1000, "0.3 % of 1\u{202F}000"),
  ])
  func `a rate has its sample, and fewer than twenty make none`(part: Int, whole: Int, text: String) {
    #expect(Format.rateOfSample(part, of: whole) == text)
    #expect(text.hasPrefix(Format.rate(part, of: whole)))
  }

  @Test func `an issue's address in the viewer stands beside its link to the outside tracker`() async throws {
    try await Served.with { served in
      try await served.deliver([
        Served.event(
          "handled_exception", ["errorDomain": "PaymentError", "errorMessage": "declined", "stackTrace": ""])
      ])
      let name = try #require(
        try JSON(text: try await Tool.run("issues", "--url", served.url, "--json").output)["id"]?.string)
      #expect(try await Tool.run("issues", name, "--tracker", "https://t.example/7", "--url", served.url).code == 0)
      for arguments in [["issues"], ["issues", name]] {
        let issue = try JSON(text: try await Tool.run(arguments + ["--link", "--json", "--url", served.url]).output)
        #expect(issue["viewerUrl"]?.string == "\(served.url)#/issues/\(name)")
        if arguments.count > 1 { #expect(issue["link"]?.string == "https://t.example/7") }
      }
    }
  }

  @Test func `an issue is resolved, listed as such, and opened again`() async throws {
    try await Served.with { served in
      try await served.deliver([
        Served.event(
          "handled_exception",
          ["errorDomain": "PaymentError", "errorMessage": "declined", "stackTrace": "", "bundleId": "com.example.cli"])
      ])
      let open = try await Tool.run("issues", "--url", served.url, "--json")
      let name = try #require(try JSON(text: open.output)["id"]?.string)
      let resolved = try await Tool.run(
        "issues", String(name.prefix(6)), "--resolve", "--after", "3.1.4", "--url", served.url)
      #expect(resolved.code == 0 && resolved.output.contains("resolved after 3.1.4"), "\(resolved.errors)")
      #expect(try await Tool.run("issues", "--url", served.url).output.isEmpty)
      let all = try await Tool.run("issues", "--status", "resolved", "--url", served.url)
      #expect(all.output.contains("resolved after 3.1.4 · declined · PaymentError"))
      let reopened = try await Tool.run("issues", name, "--reopen", "--url", served.url, "--json")
      #expect(try JSON(text: reopened.output)["status"] == "open")
      for wrong in [["--resolve"], [name, "--resolve", "--ignore"], ["--status", "gone"], [name, "--in", "2"]] {
        #expect(try await Tool.run(["issues", "--url", served.url] + wrong).code == 2, "\(wrong)")
      }
    }
  }
}
