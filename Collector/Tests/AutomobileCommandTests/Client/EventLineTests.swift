import Foundation
import Testing

@testable import automobile

@Suite struct `Events in one line` {
  private func event(_ type: String, _ payload: JSON) -> JSON {
    ["eventType": .string(type), "payload": payload]
  }

  @Test func `each type says what matters`() {
    let screen = EventLine(event("navigation", ["destination": "Drink", "arguments": ["drink": "flat-white"]]))
    #expect(screen.title == "Drink" && screen.detail == "drink=flat-white")
    let request = EventLine(
      event("network_request", ["method": "POST", "path": "/v1/checkout", "statusCode": 503, "durationMs": 241]))
    #expect(request.title == "POST /v1/checkout" && request.detail == "503  241 ms" && request.tone == .error)
    let change = EventLine(event("storage_changed", ["key": "basket", "newValue": "2"]))
    #expect(change.title == "basket" && change.detail == "2")
    #expect(EventLine(event("log", ["level": 3, "message": "low", "tag": "disk"])).tone == .warning)
    #expect(EventLine(event("hang", ["durationMs": 2510])).title == "main thread blocked for 2.5 s")
  }

  @Test func `failed requests are errors, and no others`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Requests/outcomes.json")
    let outcomes = try JSON(text: String(contentsOf: file, encoding: .utf8))["outcomes"]?.array ?? []
    #expect(outcomes.count > 10)
    for outcome in outcomes {
      let request = event("network_request", outcome["members"] ?? .null)
      let (what, failed) = (outcome["what"]?.text ?? "", outcome["failed"]?.bool)
      #expect(EventLine.isError(request) == failed, "\(what)")
      #expect((EventLine(request).tone == .error) == failed, "\(what)")
    }
    let cancelled: JSON = ["errorDomain": "NSURLErrorDomain", "errorCode": -999, "error": "cancelled"]
    #expect(EventLine(event("network_request", cancelled)).detail.hasPrefix("cancelled"))
  }

  @Test(
    arguments: [
      (["text": "Pay", "viewType": "UIButton", "x": "1", "y": "2"], "tap “Pay”", ""),
      (["accessibilityIdentifier": "pay", "viewType": "CardView"], "tap “pay”", "CardView"),
      (["viewType": "_UIHostingView", "x": "120.2", "y": "340"], "tap at 120, 340 in menu", ""),
      (["viewType": "ProductCell", "x": "1", "y": "2"], "tap “ProductCell” at 1, 2", ""),
      (["x": "1e300", "y": "nan"], "tap", ""), (["viewType": "_UIHostingView"], "tap", ""), ([:], "tap", ""),
    ] as [(JSON, String, String)])
  func `a tap says what it was on, else where`(properties: JSON, title: String, detail: String) {
    let line = EventLine(
      event("interaction", ["interactionType": "tap", "properties": properties]), on: "menu")
    #expect(line.title == title && line.detail == detail)
  }

  @Test func `what the SDK measures is said in words`() {
    func line(_ name: String, _ properties: JSON) -> EventLine {
      EventLine(event("custom", ["name": .string(name), "properties": properties]))
    }
    let launch = line("App Launch", ["totalMs": 860, "preMainMs": "80", "kind": "cold"])
    #expect(launch.title == "cold launch in 860 ms" && launch.detail == "80 ms before main")
    let frames = line(
      "Frames", ["frames": 52, "durationMs": 3373, "frozen": 1, "slow": 1, "worstMs": 2523, "screen": "trouble"])
    #expect(frames.title == "1 frozen frame on trouble" && frames.detail == "52 frames in 3.4 s · worst 2.5 s")
    #expect(line("Frames", ["frames": 9, "frozen": .number(1e300)]).title == "no slow frames")
    #expect(line("Frames", ["frames": "many"]).title == "Frames")
    #expect(line("bought", ["frames": 52]).title == "bought")
    let hang: JSON = ["eventType": "hang", "culprit": "Cart.total()", "payload": ["durationMs": 2510]]
    #expect(EventLine(hang).detail == "in Cart.total()")
  }

  @Test func `a type of a newer SDK shows all that it has`() {
    let line = EventLine(
      event("teleport", ["eventType": "teleport", "timestamp": 1, "place": "moon", "stops": [1, 2]]))
    #expect(line.title == "teleport" && line.detail == "place=moon stops=[1,2]")
  }

  @Test(arguments: [JSON.null, [], "text", 3, ["payload": 3], ["eventType": ["a"], "payload": []]])
  func `an event of any other shape does no harm`(event: JSON) {
    _ = EventLine(event)
  }

  @Test(arguments: [40, 80, 200])
  func `lines fit the terminal, and hold no control characters`(width: Int) {
    let console = Console(environment: ["COLUMNS": "\(width)", "NO_COLOR": "1"])
    let hostile = String(repeating: "\u{1B}[31m長い\n", count: 80)
    let line = EventLine(event("log", ["message": .string(hostile), "tag": .string(hostile), "level": 2]))
      .rendered(lead: "  0:07.412", console)
    #expect(DisplayWidth.of(line) <= width)
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
  }
}
