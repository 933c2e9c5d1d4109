import Foundation
import TestTools

@testable import AutoMobileRecorder

/// Events as no app in its right mind would make them. The same ones for the same seed.
struct RandomEvents {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed) }

  /// An event of the given type.
  mutating func event(of type: SdkEventType) -> any SdkEvent {
    let time = integer()
    switch type {
    case .navigation:
      return SdkNavigationEvent(
        timestamp: time, destination: string(), source: element(NavigationSourceType.allCases),
        arguments: dictionary(), metadata: dictionary())
    case .handledException:
      return SdkHandledExceptionEvent(
        timestamp: time, errorDomain: string(), errorMessage: optional { $0.string() }, stackTrace: string(),
        customMessage: optional { $0.string() }, currentScreen: optional { $0.string() }, bundleId: string(),
        appVersion: optional { $0.string() }, deviceInfo: deviceInfo(), report: optional { $0.report() })
    case .crash:
      return SdkCrashEvent(
        timestamp: time, errorDomain: string(), errorMessage: optional { $0.string() }, stackTrace: string(),
        currentScreen: optional { $0.string() }, bundleId: string(), appVersion: optional { $0.string() },
        deviceInfo: deviceInfo(), report: optional { $0.report() })
    case .hang:
      return SdkHangEvent(
        timestamp: time, durationMs: double(), stackTrace: optional { $0.string() }, bundleId: string(),
        report: optional { $0.report() })
    case .networkRequest:
      return SdkNetworkRequestEvent(
        timestamp: time, url: string(), method: string(), requestHeaders: optional { $0.dictionary() },
        requestBodySize: optional { Int($0.integer()) }, statusCode: optional { Int($0.integer()) },
        responseHeaders: optional { $0.dictionary() }, responseBodySize: optional { Int($0.integer()) },
        durationMs: optional { $0.double() }, error: optional { $0.string() }, host: optional { $0.string() },
        path: optional { $0.string() }, requestBody: optional { $0.string() }, responseBody: optional { $0.string() },
        contentType: optional { $0.string() }, requestId: optional { $0.string() })
    case .webSocketFrame:
      return SdkWebSocketFrameEvent(
        timestamp: time, url: string(), direction: element(WebSocketFrameDirection.allCases),
        frameType: element(WebSocketFrameType.allCases), payloadSize: optional { Int($0.integer()) })
    case .log:
      return SdkLogEvent(
        timestamp: time, level: element(LogLevel.allCases), tag: optional { $0.string() }, message: string(),
        filterName: string(), metadata: metadata(), source: optional { $0.string() })
    case .lifecycle:
      return SdkLifecycleEvent(
        timestamp: time, state: string(), bundleId: optional { $0.string() }, details: dictionary())
    case .custom:
      if flip() { return SdkCustomEvent(timestamp: time, name: string(), properties: dictionary()) }
      return SdkCustomEvent(timestamp: time, name: string(), properties: metadata())
    case .notificationAction:
      return SdkNotificationActionEvent(
        timestamp: time, actionId: string(), notificationTitle: optional { $0.string() })
    case .viewBodySnapshot:
      return SdkViewBodySnapshotEvent(timestamp: time, snapshots: array { $0.snapshot() })
    case .broadcast:
      return SdkBroadcastEvent(
        timestamp: time, action: string(), categories: optional { $0.array { $0.string() } },
        infoKeyTypes: optional { $0.dictionary() })
    case .interaction:
      return SdkInteractionEvent(timestamp: time, interactionType: string(), properties: dictionary())
    case .storageChanged:
      return SdkStorageChangedEvent(
        timestamp: time, suiteName: optional { $0.string() }, key: optional { $0.string() },
        newValue: optional { $0.string() }, valueType: string(), sequenceNumber: integer(),
        changeType: optional { $0.string() }, previousValue: optional { $0.string() })
    case .span:
      return SdkSpanEvent(
        timestamp: time, name: string(), context: spanContext(), parent: optional { $0.spanContext() },
        kind: element(SdkSpanKind.allCases), durationMs: optional { $0.double() },
        status: optional { $0.element(SdkSpanStatus.allCases) }, statusMessage: optional { $0.string() },
        attributes: metadata())
    case .sessionSummary:
      return SdkSessionSummaryEvent(
        timestamp: time, session: string(), revision: Int(integer()), sameAs: nil, startedAt: integer(),
        endedAt: integer(), isFinal: flip(), end: optional { $0.string() }, events: counts(),
        screens: array { $0.string() },
        screenVisits: Int(integer()), launchMs: optional { $0.integer() }, launchKind: optional { $0.string() },
        slowFrames: Int(integer()), frozenFrames: Int(integer()), requests: counts(), errors: Int(integer()),
        crashes: Int(integer()), memoryPeak: optional { $0.integer() }, memoryLeft: optional { $0.integer() },
        memoryWarnings: Int(integer()), keptEvents: optional { Int($0.integer()) },
        keptBytes: optional { Int($0.integer()) },
        keptDays: optional { Int($0.integer()) })
    }
  }

  private mutating func counts() -> [String: Int] {
    var counts: [String: Int] = [:]
    for _ in 0..<below(4) { counts[string()] = Int(integer()) }
    return counts
  }

  mutating func metadata() -> [String: MetadataValue] {
    var result: [String: MetadataValue] = [:]
    for _ in 0..<below(5) { result[string()] = metadataValue(depth: 0) }
    return result
  }

  mutating func string() -> String {
    var text = ""
    let length = below(10) == 0 ? below(400) : below(12)
    for _ in 0..<length { text += element(Self.pieces) }
    if below(40) == 0 { text += String(repeating: element(Self.pieces), count: 5000) }
    return below(4) == 0 ? NSString(string: text) as String : text
  }

  mutating func double() -> Double {
    switch below(4) {
    case 0: return element([0, -0.0, 1, -1, .pi, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e21, 1e-7])
    case 1: return Double(integer()) / 1000
    default: return Double(bitPattern: random.next())
    }
  }

  mutating func integer() -> Int64 {
    let number = Int64(bitPattern: random.next()) >> Int64(below(64))
    return below(20) == 0 ? element([.max, .min, 0, -1]) : number
  }

  private static let pieces: [String] = [
    "a", "Z", "plain text of some length ", "\"", "\\", "/", "\u{0}", "\u{1}", "\u{8}", "\t", "\n", "\u{B}", "\u{C}",
    "\r",
    "\u{1B}", "\u{1F}", " ", "\u{7F}", "\u{80}", "é", "e\u{301}", "\u{301}", "\u{2028}", "\u{2029}", "\u{FEFF}",
    "\u{FFFF}", "\u{10FFFF}", "漢字", "😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "\u{200D}", "\u{202E}", "مرحبا", "\\u0041",
    "</script>", "{}",
    "[],:",
    "null", "\r\n",
  ]

  private mutating func spanContext() -> SdkSpanContext {
    SdkSpanContext(traceHigh: random.next(), traceLow: random.next() | 1, span: random.next() | 1)
  }

  private mutating func metadataValue(depth: Int) -> MetadataValue {
    switch below(depth > 3 ? 5 : 7) {
    case 0: return .string(string())
    case 1: return .int(integer())
    case 2: return .double(double())
    case 3: return .bool(flip())
    case 4: return .null
    case 5: return .array(array { $0.metadataValue(depth: depth + 1) })
    default:
      var object: [String: MetadataValue] = [:]
      for _ in 0..<below(4) { object[string()] = metadataValue(depth: depth + 1) }
      return .object(object)
    }
  }

  private mutating func snapshot() -> ViewBodySnapshot {
    ViewBodySnapshot(
      id: string(), viewName: optional { $0.string() }, totalCount: Int(integer()), rollingAverage: double(),
      averageDurationMs: optional { $0.double() })
  }

  mutating func report() -> DiagnosticReport {
    var report = DiagnosticReport(reportId: string(), kind: element(DiagnosticReport.Kind.allCases))
    report.architecture = optional { $0.string() }
    report.os = optional { $0.string() }
    report.process = optional { .init(name: $0.string(), pid: $0.integer()) }
    report.signal = optional {
      .init(
        number: Int($0.integer()), name: $0.string(), code: Int($0.integer()), codeName: $0.optional { $0.string() },
        address: $0.optional { $0.address() })
    }
    report.exception = optional { .init(type: $0.string(), reason: $0.optional { $0.string() }) }
    report.durationMs = optional { $0.double() }
    report.anr = optional { $0.flip() }
    report.threads = array {
      .init(
        id: UInt64($0.integer().magnitude), name: $0.optional { $0.string() }, crashed: $0.flip(), main: $0.flip(),
        registers: $0.optional { random in ["rip": random.address(), "rsp": random.address()] },
        frames: $0.array { $0.frame() }, truncated: $0.flip())
    }
    report.samples = optional {
      $0.array { .init(atMs: $0.double(), count: Int($0.integer()), frames: $0.array { $0.frame() }) }
    }
    report.images = array {
      .init(
        name: $0.string(), path: $0.optional { $0.string() }, uuid: $0.optional { $0.string() }, base: $0.address(),
        size: UInt64($0.integer().magnitude), architecture: $0.optional { $0.string() })
    }
    report.breadcrumbs = optional {
      $0.array {
        Breadcrumb(timestamp: $0.double(), category: .custom, message: $0.string(), metadata: $0.dictionary())
      }
    }
    report.notes = array { $0.string() }
    return report
  }

  private mutating func frame() -> DiagnosticReport.Frame {
    .init(
      address: address(), image: optional { Int($0.integer()) }, offset: optional { $0.address() },
      symbol: optional { $0.string() }, symbolOffset: optional { UInt64($0.integer().magnitude) },
      trust: optional { $0.string() })
  }

  private mutating func address() -> CodeAddress { CodeAddress(UInt64(bitPattern: integer())) }

  private mutating func deviceInfo() -> SdkDeviceInfo {
    SdkDeviceInfo(model: string(), manufacturer: string(), osVersion: string(), systemName: string())
  }

  private mutating func dictionary() -> [String: String] {
    var result: [String: String] = [:]
    for _ in 0..<below(5) { result[string()] = string() }
    return result
  }

  private mutating func array<T>(_ make: (inout Self) -> T) -> [T] { (0..<below(4)).map { _ in make(&self) } }
  private mutating func optional<T>(_ make: (inout Self) -> T) -> T? { flip() ? make(&self) : nil }
  private mutating func element<T>(_ all: [T]) -> T { all[below(all.count)] }
  private mutating func flip() -> Bool { random.next() & 1 == 0 }
  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
}
