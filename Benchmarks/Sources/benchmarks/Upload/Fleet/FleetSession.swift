import AutoMobileSDK
import Foundation

/// What a person does in an app in some minutes: the same whenever it is asked for, by its number alone.
///
/// 100 to 500 events, 300 on average, in some 2 to 10 minutes; of the kinds that `Collector/Benchmarks/Story.swift` has, which
/// `automobile size` is checked with: 35 % logs, 20 % requests, 20 % taps, 10 % screens, 8 % stored values, and others.
struct FleetSession {
  enum Fault: String, CaseIterable { case crash, hang, request }

  let number: Int
  /// What goes wrong in it; nil in most.
  let fault: Fault?
  /// When its events are over, from its beginning on, in milliseconds: no two at the same time.
  let times: [Int64]
  /// The event that is the fault; nil without one, and when it ends with a crash.
  let faultIndex: Int?

  init(_ number: Int, fault: Fault?) {
    self.number = number
    self.fault = fault
    var random = Random(UInt64(number))
    var time: Int64 = 0
    times = (0..<100 + random.next(401)).map { _ in
      time += 200 + Int64(random.next(2001))
      return time
    }
    faultIndex = fault == nil || fault == .crash ? nil : times.count * (4 + number % 5) / 10
  }

  /// How long the fault lasts, in milliseconds: its window begins before that, and ends after it.
  var faultDuration: Int64 {
    switch fault {
    case .hang: 3000
    case .request: 800
    case .crash, nil: 0
    }
  }

  /// How many of its events are requests.
  var requests: Int { times.indices.filter { kind($0) == .request }.count }

  private enum Kind { case launch, log, request, tap, screen, frames, stored, lifecycle, hang }

  private func kind(_ index: Int) -> Kind {
    if index == faultIndex { return fault == .hang ? .hang : .request }
    if index == 0 { return .launch }
    // A prime to a hundred, so that the kinds stand among each other.
    switch index * 37 % 100 {
    case 0..<35: return .log
    case 35..<55: return .request
    case 55..<75: return .tap
    case 75..<85: return .screen
    case 85..<87: return .frames
    case 87..<95: return .stored
    default: return .lifecycle
    }
  }

  /// Records the event, as if it was over then.
  ///
  /// - Parameter time: in milliseconds since 1970.
  func record(_ index: Int, at time: Int64, _ sdk: AutoMobileSDK) {
    var random = Random(UInt64(number) << 20 | UInt64(index))
    let word = Self.words[random.next(Self.words.count)]
    let screen = "\(Self.words[random.next(12)].capitalized)Screen"
    switch kind(index) {
    case .launch:
      sdk.record(
        SdkCustomEvent(
          timestamp: time, name: "App Launch",
          properties: ["kind": "cold", "totalMs": .int(Int64(300 + random.next(900))), "preMainMs": .int(80)]))
    case .log:
      let text = (0..<3 + random.next(8)).map { _ in Self.words[random.next(Self.words.count)] }
      sdk.record(
        SdkLogEvent(
          timestamp: time, level: .info, tag: word, message: "\(text.joined(separator: " ")) \(random.next(100_000))",
          filterName: "all"))
    case .request: record(requestAt: time, isFailed: index == faultIndex, word, &random, sdk)
    case .tap:
      sdk.record(
        SdkInteractionEvent(
          timestamp: time, interactionType: "tap",
          properties: [
            "x": "\(random.next(390)).0", "y": "\(random.next(844)).0", "text": "\(word) \(random.next(100))",
            "screen": screen,
          ]))
    case .screen:
      sdk.record(
        SdkNavigationEvent(
          timestamp: time, destination: screen, source: .swiftUINavigation, arguments: ["id": "\(random.next(10_000))"])
      )
    case .frames:
      sdk.record(
        SdkCustomEvent(
          timestamp: time, name: "Frames",
          properties: [
            "scope": "screen", "screen": .string(screen), "frames": .int(120), "slow": .int(Int64(random.next(9))),
            "frozen": .int(0), "worstMs": .int(Int64(17 + random.next(90))),
          ]))
    case .stored:
      sdk.record(
        SdkStorageChangedEvent(
          timestamp: time, suiteName: nil, key: word, newValue: "\(random.next(100_000))", valueType: "int",
          sequenceNumber: Int64(index)))
    case .lifecycle:
      sdk.record(SdkLifecycleEvent(timestamp: time, state: index % 2 == 0 ? "inactive" : "active"))
    case .hang:
      let frames = (0..<24).map {
        "\($0) Roastery 0x\(String(4_300_000_000 + random.next(1_000_000), radix: 16)) + \($0 * 4)"
      }
      sdk.record(
        SdkHangEvent(
          timestamp: time - faultDuration, durationMs: Double(faultDuration),
          stackTrace: frames.joined(separator: "\n"),
          bundleId: "com.example.bench", currentScreen: screen))
    }
  }

  private func record(
    requestAt time: Int64, isFailed: Bool, _ word: String, _ random: inout Random, _ sdk: AutoMobileSDK
  ) {
    let path = "/v1/\(word)/\(random.next(100_000))"
    let duration = isFailed ? faultDuration : Int64(20 + random.next(900))
    let body = #"{"id":\#(random.next(100_000)),"name":"\#(Self.words[random.next(Self.words.count)])"}"#
    sdk.record(
      SdkNetworkRequestEvent(
        timestamp: time - duration, url: "https://api.example.com\(path)?page=\(random.next(9))",
        method: random.next(5) == 0 ? "POST" : "GET", requestHeaders: ["Accept": "application/json"],
        statusCode: isFailed ? 503 : 200, responseBodySize: body.utf8.count, durationMs: Double(duration),
        host: "api.example.com", path: path, responseBody: body, contentType: "application/json",
        requestId: String(random.bits(), radix: 16)))
  }

  private static let words = [
    "menu", "basket", "payment", "profile", "promotion", "product", "order", "progress", "espresso", "search",
    "account",
    "receipt", "loyalty", "delivery", "address", "voucher", "refund", "catalog", "image", "cache", "token", "session",
    "retry", "queue", "banner", "feed", "checkout", "roastery", "grinder", "filter", "crema", "arabica", "robusta",
    "macchiato", "ristretto", "pickup", "barista", "sugar", "oat", "milk",
  ]

  /// Numbers that look random, and are the same each time (SplitMix64).
  struct Random {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func bits() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    /// 0 ..< bound
    mutating func next(_ bound: Int) -> Int { Int(bits() % UInt64(max(1, bound))) }
  }
}
