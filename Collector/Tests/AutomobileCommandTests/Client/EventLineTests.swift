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
