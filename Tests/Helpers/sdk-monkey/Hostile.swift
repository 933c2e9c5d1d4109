import AutoMobileSDK
import Foundation

/// Arguments that nobody would give on purpose, from a seed: the same seed gives the same ones.
struct Hostile: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
  mutating func bool() -> Bool { next() & 1 == 0 }
  mutating func optional<Value>(_ value: (inout Hostile) -> Value) -> Value? { below(3) == 0 ? nil : value(&self) }

  private static let strings = [
    "", " ", "a", "screen", "\0", "\u{1}\u{1F}\u{7F}", "\"quoted\" \\ and / slashes", "line\nfeed\r\ttab", "\u{FFFD}",
    "\u{2028}\u{2029}", "🏳️‍🌈👩‍👩‍👧‍👦", "e\u{301}\u{301}\u{301}", "\u{202E}sdrawkcab", "../../../../etc/passwd", "%s%n%@%d",
    "null",
    "NaN", "{\"a\":[", "<script>", "';DROP TABLE events;--", "https://user:password@host:99999/path?q=1#f", "ſ", "İ",
    String(decoding: [0xC0, 0x80, 0xED, 0xA0, 0x80, 0xFF] as [UInt8], as: UTF8.self),
  ]

  mutating func string() -> String {
    switch below(2000) {
    case 0: return String(repeating: one(of: Self.strings), count: 4000)
    case 1: return String(repeating: "x", count: 1 << 16)
    case 2: return String(repeating: "\u{1}", count: 1100 * 1024)  // longer than an event may be
    case 3..<200: return String(next(), radix: 36)
    default: return one(of: Self.strings)
    }
  }

  mutating func int() -> Int {
    one(of: [
      0, 1, -1, 2, 100, .max, .min, .max - 1, .min + 1, 1 << 31, 1 << 53, -(1 << 31), Int(truncatingIfNeeded: next()),
    ])
  }

  mutating func int64() -> Int64 { Int64(int()) }

  mutating func double() -> Double {
    one(of: [
      0, -0.0, 1, -1, .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 1e18, 1e19, -1e19, 0.1, Double(bitPattern: next()),
    ])
  }

  mutating func strings() -> [String: String] {
    var dictionary: [String: String] = [:]
    for _ in 0..<one(of: [0, 0, 1, 1, 2, 3, 20]) { dictionary[string()] = string() }
    return dictionary
  }

  mutating func array() -> [String] { (0..<below(4)).map { _ in string() } }

  mutating func metadata(depth: Int = 0) -> MetadataValue {
    switch below(depth < 50 ? 9 : 6) {
    case 0: return .null
    case 1: return .bool(bool())
    case 2: return .int(int64())
    case 3: return .double(double())
    case 4, 5: return .string(string())
    case 6: return .array((0..<below(3)).map { _ in metadata(depth: depth + 1) })
    case 7: return .object([string(): metadata(depth: depth + 1)])
    default:
      // Deeper than anything is written.
      var value = MetadataValue.null
      for _ in 0..<one(of: [1, 31, 32, 33, 200]) { value = bool() ? .array([value]) : .object(["a": value]) }
      return value
    }
  }

  mutating func properties() -> [String: MetadataValue] {
    var dictionary: [String: MetadataValue] = [:]
    for _ in 0..<below(3) { dictionary[string()] = metadata() }
    return dictionary
  }

  /// What a `[String: Any]` can hold.
  mutating func any() -> Any {
    switch below(12) {
    case 0: return int()
    case 1: return double()
    case 2: return Float(double())
    case 3: return string()
    case 4: return [any(), NSNull()] as [Any]
    case 5: return [AnyHashable(int()): any()] as [AnyHashable: Any]
    case 6: return Optional<Int>.none as Any
    case 7: return Date(timeIntervalSince1970: double())
    case 8: return data()
    case 9: return NSNumber(value: double())
    case 10: return UUID()
    default: return UInt64.max
    }
  }

  mutating func data() -> Data {
    switch below(4) {
    case 0: return Data()
    case 1: return Data((0..<below(64)).map { _ in UInt8(truncatingIfNeeded: next()) })
    case 2: return Data(String(repeating: "[", count: one(of: [1, 600, 5000])).utf8)
    default: return Data(#"{"eventType":"\#(one(of: ["custom", "crash", "?"]))","timestamp":\#(int()),"name":1}"#.utf8)
    }
  }

  mutating func date() -> TimeInterval { double() }
  mutating func url() -> URL? {
    URL(string: one(of: ["http://127.0.0.1:1", "", "x", "http://[::1]:1/a?b", "file:///dev/null"]))
  }
}
