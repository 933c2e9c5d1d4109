import Foundation
import Testing

@testable import automobile

@Suite(.serialized) struct `Reports from the command line` {
  /// This test's own program has debug information and a build, as any app's has.
  private static var program: String { Tool.path.path }

  private static func crash(_ session: String = "11111111-AAAA") -> JSON {
    let frames: JSON = [
      [
        "address": "0x5010", "image": 0, "offset": "0x1010", "symbol": "$s4shop4CartV5total2ofS2i_tF",
        "trust": "context",
      ],
      ["address": "0x5020", "image": 0, "offset": "0x1020", "symbol": "main", "trust": "cfi"],
    ]
    let report: JSON = [
      "format": 1, "kind": "signal", "process": ["name": "shop", "pid": 4],
      "signal": ["number": 11, "name": "SIGSEGV", "codeName": "SEGV_MAPERR", "address": "0x0"],
      "threads": [["name": "main", "crashed": true, "frames": frames]],
      "images": [["name": "shop", "path": "/app/shop", "uuid": "aabbccddee", "base": "0x4000", "size": 65536]],
    ]
    return Served.event(
      "crash", ["errorDomain": "SIGSEGV", "stackTrace": "", "appVersion": "3.1.4", "report": report], session: session)
  }

  @Test func `issues and crashes are listed, and one report is shown whole`() async throws {
    try await Served.with { served in
      try await served.deliver([Self.crash(), Self.crash("22222222-BBBB")])
      let deadline = ContinuousClock.now + .seconds(90)
      var list = try await Tool.run("issues", "--url", served.url, environment: ["COLUMNS": "140"])
      while !list.output.contains("Cart.total(of:)"), ContinuousClock.now < deadline {
        list = try await Tool.run("issues", "--url", served.url, environment: ["COLUMNS": "140"])
      }
      #expect(list.code == 0 && list.lines.count == 2)
      #expect(list.output.contains("SIGSEGV in Cart.total(of:) · SEGV_MAPERR at 0x0"))
      #expect(list.lines.allSatisfy { DisplayWidth.of(String($0)) <= 140 })
      let json = try JSON(text: try await Tool.run("issues", "--url", served.url, "--json").output)
      #expect(json["count"]?.int == 2 && json["sessions"]?.int == 2)
      let id = try #require(json["id"]?.string)
      let shown = try await Tool.run("issues", String(id.prefix(6)), "--url", served.url)
      #expect(shown.output.contains("2 reports · 2 sessions"))

      for width in [60, 100] {
        let crashes = try await Tool.run("crashes", "--url", served.url, environment: ["COLUMNS": "\(width)"])
        #expect(crashes.lines.count == 3)
        #expect(crashes.lines.allSatisfy { DisplayWidth.of(String($0)) <= width })
      }
      let event = try #require(json["sample"]?.int)
      let text = try await Tool.run("symbolicate", "\(event)", "--url", served.url)
      #expect(text.output.contains("Thread 0 Crashed:") && text.output.contains("Cart.total(of:)"))
      let address = "\(served.url)#/sessions/\(json["sessionId"]?.text ?? "22222222-BBBB")?event=\(event)"
      let linked = try await Tool.run("symbolicate", "\(event)", "--link", "--url", served.url)
      #expect(linked.lines.first.map(String.init) == address && linked.output.contains("Thread 0 Crashed:"))
      let told = try await Tool.run("symbolicate", "\(event)", "--link", "--json", "--url", served.url)
      #expect(try JSON(text: told.output)["viewerUrl"]?.string == address)
      let ips = try await Tool.run("symbolicate", "\(event)", "--link", "--format", "ips", "--url", served.url)
      #expect(ips.code == 2 && ips.errors.contains("--link goes with an event of a collector"))
      let unknown = try await Tool.run("symbolicate", "999", "--url", served.url)
      #expect(unknown.code == 1 && unknown.errors.contains("no event with number"))
    }
  }

  @Test func `symbols are added once, listed and removed`() async throws {
    try await Served.with { served in
      for outcome in ["added", "known"] {
        let added = try await Tool.run("symbols", "add", Self.program, "--url", served.url, "--json")
        #expect(added.code == 0, "\(added.errors)")
        #expect(try JSON(text: added.output)["outcome"] == .string(outcome))
      }
      let list = try await Tool.run("symbols", "--url", served.url, environment: ["COLUMNS": "100"])
      #expect(list.output.contains("automobile") && list.output.contains("1 build"))
      let entry = try JSON(text: try await Tool.run("symbols", "list", "--url", served.url, "--json").output)
      let id = try #require(entry["id"]?.string)
      let removed = try await Tool.run("symbols", "remove", String(id.prefix(10)), "--url", served.url)
      #expect(removed.code == 0 && removed.output.contains("removed \(id)"))
      let none = try await Tool.run("symbols", "remove", id, "--url", served.url)
      #expect(none.code == 1)
      let nothing = try await Tool.run("symbols", "add", "/etc/passwd", "--url", served.url)
      #expect(nothing.code == 1 && nothing.errors.contains("neither ELF nor Mach-O"))
    }
  }

  @Test func `sources are added with the symbols, and links to them are set, listed and removed`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "sources-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    func write(_ name: String, _ text: String) throws {
      let file = directory.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    try write("Sources/Shop/Cart.swift", "struct Cart {}\n")
    try write(".build/checkouts/Other.swift", "not ours")
    try write("secret.env", "KEY=1")
    try write("large.c", String(repeating: "x", count: 1 << 20 | 1))
    try FileManager.default.createSymbolicLink(
      at: directory.appending(path: "passwd.h"), withDestinationURL: URL(filePath: "/etc/passwd"))
    let found = try SourceSearch.archive(of: directory.path, commit: "c0ffee")
    #expect(found.files == 1 && found.skipped == ["large.c"])
    let text = String(decoding: found.data, as: UTF8.self)
    #expect(
      text.contains("struct Cart") && !text.contains("root:") && !text.contains("KEY=1") && !text.contains("not ours"))

    try await Served.with { served in
      let added = try await Tool.run(
        "symbols", "add", Self.program, "--sources", directory.path, "--commit", "c0ffee", "--url", served.url)
      #expect(added.code == 0 && added.errors.contains("1 source file"), "\(added.errors)")
      let kept = try FileManager.default.contentsOfDirectory(atPath: served.directory.appending(path: "symbols").path)
      #expect(kept.count { $0.hasSuffix(".src") } == 1)
      let nowhere = try await Tool.run("symbols", "add", Self.program, "--sources", "/nowhere", "--url", served.url)
      #expect(nowhere.code != 0 && nowhere.errors.contains("There is no directory “/nowhere”"))
      let wrong = try await Tool.run("symbols", "add", Self.program, "--commit", "a b", "--url", served.url)
      #expect(wrong.code != 0 && wrong.errors.contains("is not a commit"))

      let link = "zed://file/{path}:{line}"
      let set = try await Tool.run("symbols", "link", "com.example.cli", link, "--root", "/build", "--url", served.url)
      #expect(set.code == 0, "\(set.errors)")
      let listed = try await Tool.run("symbols", "link", "--url", served.url, environment: ["COLUMNS": "120"])
      #expect(
        listed.output.contains("com.example.cli") && listed.output.contains(link) && listed.output.contains("/build"))
      let hostile = try await Tool.run(
        "symbols", "link", "com.example.cli", "javascript:x//{path}", "--url", served.url)
      #expect(hostile.code != 0 && hostile.errors.contains("the link begins with one of"))
      #expect(try await Tool.run("symbols", "link", "com.example.cli", "--url", served.url).code != 0)
      let removed = try await Tool.run("symbols", "link", "com.example.cli", "--remove", "--url", served.url)
      #expect(removed.code == 0)
      #expect(try await Tool.run("symbols", "link", "--url", served.url).errors.contains("No links yet"))
    }
  }

  @Test func `a report in a file is symbolicated without a collector`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Self.crash().line.write(to: file, atomically: true, encoding: .utf8)
    let text = try await Tool.run("symbolicate", file.path)
    #expect(text.code == 0, "\(text.errors)")
    #expect(text.output.contains("Cart.total(of:)") && text.errors.contains("no symbols of shop"))
    let ips = try await Tool.run("symbolicate", file.path, "--format", "ips")
    #expect(ips.lines.count == 2 && ips.output.contains("\"bug_type\":\"309\""))
    let json = try JSON(text: try await Tool.run("symbolicate", file.path, "--json").output)
    #expect(json["threads"]?.array?.count == 1)
    let wrong = try await Tool.run("symbolicate", "/etc/hostname")
    #expect(wrong.code == 1 && wrong.errors.contains("is not a report"))
  }
}
