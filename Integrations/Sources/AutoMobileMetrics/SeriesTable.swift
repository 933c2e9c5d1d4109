import AutoMobileRecorder
import Dispatch
import Foundation

/// What has been counted and measured since the last record.
final class SeriesTable: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that `state` is reached with the lock held only.

  enum Kind: String, CaseIterable { case counters, gauges, recorders, timers }

  /// A label with its dimensions.
  struct Name: Hashable, Sendable {
    let kind: Kind
    let text: String

    private static let longest = 300

    init(_ kind: Kind, _ label: String, _ dimensions: [(String, String)]) {
      self.kind = kind
      let pairs = dimensions.prefix(16).map { "\($0)=\($1)" }.joined(separator: ",")
      let whole = pairs.isEmpty ? label : "\(label){\(pairs)}"
      text = whole.utf8.count <= Self.longest ? whole : String(decoding: whole.utf8.prefix(Self.longest), as: UTF8.self)
    }
  }

  struct Sum {
    private(set) var last = 0.0
    private(set) var count: Int64 = 0
    private(set) var least = Double.infinity
    private(set) var most = -Double.infinity
    private(set) var sum = 0.0

    mutating func add(_ amount: Double) { set(last + amount) }

    mutating func set(_ value: Double) { if value.isFinite { last = value } }

    mutating func observe(_ value: Double) {
      guard value.isFinite else { return }
      (last, count, sum) = (value, count &+ 1, sum + value)
      (least, most) = (min(least, value), max(most, value))
    }

    func value(_ kind: Kind) -> MetadataValue {
      switch kind {
      case .counters, .gauges: return Self.number(last)
      case .recorders, .timers:
        guard count > 0 else { return ["count": 0] }
        return [
          "count": .int(count), "sum": Self.number(sum), "min": Self.number(least), "max": Self.number(most),
        ]
      }
    }

    private static func number(_ value: Double) -> MetadataValue {
      Int64(exactly: value).map { .int($0) } ?? .double(value)
    }
  }

  private struct State {
    var sums: [Name: Sum] = [:]
    /// Gauges go on from where they were.
    var gauges: [Name: Sum] = [:]
    var leftOut: Int64 = 0
    var isScheduled = false
  }

  private let lock = NSLock()
  private var state = State()
  private let interval: TimeInterval
  private let sdk: AutoMobileSDK
  private let queue = DispatchQueue(label: "automobile.metrics", qos: .utility)

  init(interval: TimeInterval, sdk: AutoMobileSDK) {
    self.interval = interval
    self.sdk = sdk
  }

  func update(_ name: Name, _ change: (inout Sum) -> Void) {
    let isFirst = lock.withLock {
      if state.sums[name] == nil, state.sums.count >= AutoMobileMetricsFactory.mostSeries {
        state.leftOut &+= 1
      } else {
        var sum = state.sums[name] ?? state.gauges[name] ?? Sum()
        change(&sum)
        state.sums[name] = sum
      }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    // While nothing is counted, nothing runs.
    if isFirst { queue.asyncAfter(deadline: .now() + interval) { [weak self] in self?.record() } }
  }

  func forget(_ name: Name) {
    lock.withLock {
      state.sums[name] = nil
      state.gauges[name] = nil
    }
  }

  func record() {
    let (sums, leftOut) = lock.withLock {
      let taken = (state.sums, state.leftOut)
      for (name, sum) in state.sums where name.kind == .gauges { state.gauges[name] = sum }
      if state.gauges.count > AutoMobileMetricsFactory.mostSeries { state.gauges = [:] }
      (state.sums, state.leftOut, state.isScheduled) = ([:], 0, false)
      return taken
    }
    guard !sums.isEmpty else { return }
    var properties: [String: MetadataValue] = [:]
    for kind in Kind.allCases {
      let own = sums.filter { $0.key.kind == kind }
      guard !own.isEmpty else { continue }
      properties[kind.rawValue] = .object(
        Dictionary(own.map { ($0.key.text, $0.value.value(kind)) }, uniquingKeysWith: { first, _ in first }))
    }
    if leftOut > 0 { properties["leftOut"] = .int(leftOut) }
    sdk.record(SdkCustomEvent(name: AutoMobileMetricsFactory.eventName, properties: properties))
  }
}
