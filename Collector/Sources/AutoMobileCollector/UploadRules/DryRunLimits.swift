import AutoMobileClickHouse
import NIOCore

/// How much of what is stored a dry run looks at.
struct DryRunLimits: Sendable {
  /// What is looked back at.
  var milliseconds: Int64 = 7 * 86_400_000
  var seconds = 5.0
  var launches = 20_000
  var events = 2_000_000
  var eventsOfLaunch = 200_000
}

extension DryRunDevice.Rules {
  /// - Parameter types: the types of events that there are, by the numbers that a store has for them.
  init(_ rules: [UploadRule], types: [(name: String, id: Int64)]) {
    let matchers = rules.map { UploadMatcher($0.when) }
    var byType: [Int64: [Int]] = [:]
    for (name, id) in types where name != EventTypes.breadcrumb {
      let concerned = matchers.indices.filter { matchers[$0].type == nil || matchers[$0].type == name }
      if !concerned.isEmpty { byType[id] = concerned }
    }
    self.init(
      rules: rules, matchers: matchers, byType: byType,
      sessionRules: rules.enumerated().compactMap { index, rule in
        if case .sessions(let fraction) = rule.when { (index, fraction) } else { nil }
      },
      alwaysSent: Set(types.filter { UploadMatcher.alwaysSent.contains($0.name) }.map(\.id)),
      summary: types.first { $0.name == UploadMatcher.summary }?.id,
      lasting: Set(types.filter { UploadMatcher.lasting.contains($0.name) }.map(\.id)),
      breadcrumb: types.first { $0.name == EventTypes.breadcrumb }?.id,
      requests: rules.allSatisfy(\.send.bodies) ? nil : types.first { $0.name == UploadMatcher.request }?.id)
  }

  /// Of these alone the JSON is read, besides of what may tell of another launch.
  var readTypes: [Int64] { Set(byType.keys).union([summary, requests].compactMap(\.self)).sorted() }
}

extension DryRun.Sample {
  /// How well events compress, about as an SDK does it.
  init(_ text: ByteBuffer) {
    let bytes = text.readableBytes
    self.init(bytes: Int64(bytes), compressed: Int64(Gzip.compressed(text, level: 6)?.readableBytes ?? bytes))
  }

  /// Of a launch, so many events are compressed; of one event so many bytes, and of all of them.
  static let (events, longest, most) = (200, 64 << 10, 256 << 10)
}
