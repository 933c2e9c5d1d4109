import AutoMobileSupport
import Foundation
import Testing

/// What is read and written by hand, against what the compiler derives.
@Suite struct MemberTests {
  private struct Inner: Codable, Equatable { var name: String }

  private struct Derived: Codable, Equatable {
    var text: String
    var maybe: String?
    var count: Int
    var time: Int64?
    var size: UInt64
    var share: Double
    var on: Bool
    var tags: [String: String]
    var inner: Inner
    var several: [Inner]?
  }

  /// The same by hand.
  private struct ByHand: Codable, Equatable {
    var value: Derived

    init(_ value: Derived) { self.value = value }

    init(from decoder: any Decoder) throws {
      let members = try MemberReader(decoder)
      value = Derived(
        text: members.value("text"), maybe: members.value("maybe"), count: members.value("count"),
        time: members.value("time"), size: members.value("size"), share: members.value("share"),
        on: members.value("on"), tags: members.value("tags"), inner: try members.required("inner"),
        several: members.value("several"))
      try members.end()
    }

    func encode(to encoder: any Encoder) throws {
      let members = MemberWriter(encoder)
      members.add("text", value.text)
      members.add("maybe", value.maybe)
      members.add("count", value.count)
      members.add("time", value.time)
      members.add("size", value.size)
      members.add("share", value.share)
      members.add("on", value.on)
      members.add("tags", value.tags)
      members.add("inner", value.inner)
      members.add("several", value.several)
      try members.end()
    }
  }

  private static let full = Derived(
    text: "ä\"", maybe: "", count: -1, time: .min, size: .max, share: 0.5, on: true, tags: ["a": "b"],
    inner: Inner(name: "x"), several: [Inner(name: "y")])
  private static let bare = Derived(
    text: "", maybe: nil, count: 0, time: nil, size: 0, share: 0, on: false, tags: [:], inner: Inner(name: ""),
    several: nil)

  @Test(arguments: [full, bare])
  private func `both ways give the same JSON, and read each other's`(value: Derived) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(value)
    #expect(try encoder.encode(ByHand(value)) == json)
    #expect(try JSONDecoder().decode(ByHand.self, from: json).value == value)
    let list = PropertyListEncoder()
    #expect(try PropertyListDecoder().decode(Derived.self, from: list.encode(ByHand(value))) == value)
  }

  /// What is wrong with one, and where, is what the compiler's would say.
  @Test(arguments: [
    "{}", #"{"text":1}"#, #"{"text":"","count":"x"}"#, #"{"text":"","count":1.5}"#, #"{"text":null}"#,
    #"{"text":"","maybe":7}"#, #"{"text":"","count":1,"size":-1}"#, "[]", "7",
    #"{"text":"","count":1,"size":1,"share":1,"on":true,"tags":{"a":1}}"#,
    #"{"text":"","count":1,"size":1,"share":1,"on":true,"tags":{},"inner":{}}"#,
    #"{"text":"","count":1,"size":1,"share":1,"on":true,"tags":{},"inner":{"name":""},"several":[{}]}"#,
  ])
  private func `the first error is the compiler's`(json: String) throws {
    let data = Data(json.utf8)
    let expected = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Derived.self, from: data) }
    let found = #expect(throws: DecodingError.self) { try JSONDecoder().decode(ByHand.self, from: data) }
    #expect(Self.summary(try #require(found)) == Self.summary(try #require(expected)))
  }

  @Test func `a number that JSON has not is an error, and comes out`() {
    var value = Self.full
    value.share = .nan
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(ByHand(value)) }
  }

  private static func summary(_ error: DecodingError) -> [String] {
    func path(_ context: DecodingError.Context) -> [String] { context.codingPath.map(\.stringValue) }
    switch error {
    case .keyNotFound(let key, let context): return ["no key", key.stringValue] + path(context)
    case .valueNotFound(_, let context): return ["no value"] + path(context)
    case .typeMismatch(_, let context): return ["type"] + path(context)
    case .dataCorrupted(let context): return ["corrupted"] + path(context)
    @unknown default: return ["unknown"]
    }
  }
}
