import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

struct NavigationEventTests {
  @Test func `a navigation event keeps what it was given`() {
    let event = NavigationEvent(
      destination: "product", source: .deepLink, timestamp: 1, arguments: ["id": "42"], metadata: ["from": "mail"])
    #expect(event.destination == "product")
    #expect(event.source == .deepLink)
    #expect(event.timestamp == 1)
    #expect(event.arguments == ["id": "42"])
    #expect(event.metadata == ["from": "mail"])
  }

  @Test func `a navigation event is stamped with the time when it is made`() {
    let before = EventClock.now()
    let event = NavigationEvent(destination: "home", source: .custom)
    #expect(event.timestamp >= before && event.timestamp <= EventClock.now())
  }

  @Test(arguments: NavigationSource.allCases) func `every source is recorded under its own name`(
    source: NavigationSource
  ) {
    let event = NavigationEvent(destination: "home", source: source)
    #expect(event.source == source)
    #expect(event.sdkEvent.source.rawValue == source.rawValue)
  }

  private func text(_ argument: Any) -> String? {
    NavigationEvent(destination: "home", source: .custom, mixedArguments: ["argument": argument]).arguments["argument"]
  }

  @Test func `mixed arguments become text`() {
    #expect(text("a \"quoted\" string") == "a \"quoted\" string")
    #expect(text(NSString(string: "bridged")) == "bridged")
    #expect(text(42) == "42")
    #expect(text(UInt8(7)) == "7")
    #expect(text(UInt64.max) == "18446744073709551615")
    #expect(text(-2.5) == "-2.5")
    #expect(text(Float(0.1)) == "0.1")
    #expect(text(CGFloat(1.5)) == "1.5")
    #expect(
      text(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)))
        == "01000000-0000-0000-0000-000000000002")
    #expect(text(Date(timeIntervalSince1970: 0.25)) == "1970-01-01T00:00:00.250Z")
    #expect(URL(string: "https://example.com/a?b").map { text($0) } == "https://example.com/a?b")
    #expect(text(Data([1, 2, 3])) == "AQID")
    #expect(text(NavigationSource.deepLink) == "deepLink")
  }

  @Test func `a boolean argument is not a number, and zero and one are no booleans`() {
    #expect(text(true) == "true")
    #expect(text(0) == "0")
    #expect(text(1) == "1")
    #expect(text(NSNumber(value: true)) == "true")
    #expect(text(NSNumber(value: false)) == "false")
    #expect(text(NSNumber(value: 1)) == "1")
    #expect(text(NSNumber(value: 0)) == "0")
    #expect(text(NSNumber(value: 1.5)) == "1.5")
  }

  @Test func `an argument that is nothing is null`() {
    #expect(text(Int?.none as Any) == "null")
    #expect(text(NSNull()) == "null")
    #expect(text(Int?.some(3) as Any) == "3")
    #expect(text(Double.nan) == "null")
  }

  @Test func `nested arguments become JSON`() throws {
    #expect(text([1, "two", true, nil, [3.5]] as [Any?]) == #"[1,"two",true,null,[3.5]]"#)
    #expect(text([String]()) == "[]")
    let object = try #require(text(["a": ["b": [1, 2]], "c": "\n"] as [String: Any]))
    let parsed = try JSONSerialization.jsonObject(with: Data(object.utf8)) as? NSDictionary
    #expect(parsed == ["a": ["b": [1, 2]], "c": "\n"] as NSDictionary)
    #expect(text([1: "one"]) == #"{"1":"one"}"#)
  }

  @Test func `arguments that are nested very deep become null at a depth`() throws {
    var value: Any = "bottom"
    for _ in 0..<500 { value = [value] }
    let json = try #require(text(value))
    let depth = MetadataValue.maximumDepth
    #expect(json == String(repeating: "[", count: depth) + "null" + String(repeating: "]", count: depth))
  }

  @Test func `a listener made of a closure passes events on`() {
    let heard = Locked<[String]>([])
    let listener: any NavigationListener = BlockNavigationListener { event in
      heard.withLock { $0.append(event.destination) }
    }
    listener.onNavigationEvent(NavigationEvent(destination: "home", source: .custom))
    #expect(heard.withLock { $0 } == ["home"])
  }
}
