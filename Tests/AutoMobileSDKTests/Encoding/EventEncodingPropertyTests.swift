import Foundation
import Testing

@testable import AutoMobileRecorder

/// The fast encoding and `Codable` must say the same about every event.
struct EventEncodingPropertyTests {
  private static let eventsOfEachType = 100

  @Test(arguments: SdkEventType.allCases) func `the fast encoding and Codable agree about random events`(
    type: SdkEventType
  ) throws {
    // A new seed each time; to run a failure again, put the one that it names here.
    let seed = UInt64.random(in: 0...UInt64.max)
    var events = RandomEvents(seed: seed)
    for number in 0..<Self.eventsOfEachType {
      let event = events.event(of: type)
      let comment: Comment = "seed \(seed), event \(number)"
      let fast = try encoded(event)
      let tree = try JSONTree(parsing: fast)
      let reference = try JSONTree(parsing: JSONEncoder().encode(event))
      try #require(tree == reference, comment)

      let decoded = try SdkEventDecoder.decode(Data(fast))
      try #require(Swift.type(of: decoded) == Swift.type(of: event), comment)
      let again = try JSONTree(parsing: encoded(decoded))
      try #require(again == tree, comment)
    }
  }

  @Test(arguments: [0, 1, 9, 10, 4096, 99_999_999, 100_000_000, UInt64(Int64.max), UInt64.max])
  func `the context's id is the last member`(id: UInt64) throws {
    var events = RandomEvents(seed: id)
    for type in SdkEventType.allCases {
      let event = events.event(of: type)
      let text = String(decoding: try encoded(event, contextId: id), as: UTF8.self)
      #expect(text.hasSuffix(#","contextId":\#(id)}"#))
      #expect(text.hasPrefix(#"{"eventType":"\#(type.rawValue)","timestamp":"#))
      let without = String(text.dropLast(#","contextId":\#(id)}"#.count) + "}")
      #expect(try JSONTree(parsing: without.utf8) == JSONTree(parsing: JSONEncoder().encode(event)))
    }
  }

  private func encoded(_ event: any SdkEvent, contextId: UInt64? = nil) throws -> [UInt8] {
    try withEncodedEvent(event, contextId: contextId) { Array($0) }
  }
}
