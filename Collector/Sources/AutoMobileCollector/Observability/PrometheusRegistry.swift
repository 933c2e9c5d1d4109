import CoreMetrics
import NIOConcurrencyHelpers

/// A swift-metrics backend that keeps everything in memory and prints it in Prometheus' text format (version 0.0.4).
///
/// Each collector has one of its own, so several can live in one process.
final class PrometheusRegistry: MetricsFactory, Sendable {
  enum Kind: String { case counter, gauge, histogram }

  private struct Family {
    var kind: Kind
    /// By the printed labels: `{format="raw"}`.
    var series: [String: Series] = [:]
  }

  private let families = NIOLockedValueBox<[String: Family]>([:])

  func text() -> String {
    families.withLockedValue { $0 }.sorted { $0.key < $1.key }.map { name, family in
      let lines = family.series.sorted { $0.key < $1.key }.map { labels, series in
        series.lines(name: name, labels: labels, kind: family.kind)
      }
      return "# TYPE \(name) \(family.kind.rawValue)\n" + lines.joined()
    }.joined()
  }

  private func series(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) -> Series {
    let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let labels = dimensions.map { key, value in
      "\(key)=\"\(Self.escaped(value))\""
    }.joined(separator: ",")
    return families.withLockedValue { families in
      if let family = families[name], let known = family.series[labels] { return known }
      let series = Series()
      families[name, default: Family(kind: kind)].series[labels] = series
      return series
    }
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }

  // MARK: MetricsFactory

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge)
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(label, dimensions, aggregate ? .histogram : .gauge)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .histogram)
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// One line of a counter or gauge, or the lines of one histogram.
final class Series: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
  /// Upper bounds of the buckets, in seconds.
  static let bounds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]

  private struct Value {
    var sum = 0.0
    var count: UInt64 = 0
    var buckets = [UInt64](repeating: 0, count: Series.bounds.count)
  }

  private let value = NIOLockedValueBox(Value())

  func increment(by amount: Int64) { value.withLockedValue { $0.sum += Double(amount) } }
  func reset() { value.withLockedValue { $0 = Value() } }
  func set(_ new: Int64) { set(Double(new)) }
  func set(_ new: Double) { value.withLockedValue { $0.sum = new } }
  func increment(by amount: Double) { value.withLockedValue { $0.sum += amount } }
  func decrement(by amount: Double) { value.withLockedValue { $0.sum -= amount } }
  func record(_ new: Int64) { record(Double(new)) }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func record(_ new: Double) {
    value.withLockedValue { value in
      value.sum += new
      value.count += 1
      for (index, bound) in Self.bounds.enumerated() where new <= bound { value.buckets[index] += 1 }
    }
  }

  fileprivate func lines(name: String, labels: String, kind: PrometheusRegistry.Kind) -> String {
    let value = value.withLockedValue { $0 }
    let braces = labels.isEmpty ? "" : "{\(labels)}"
    guard kind == .histogram else { return "\(name)\(braces) \(Self.number(value.sum))\n" }
    let comma = labels.isEmpty ? "" : labels + ","
    let buckets = zip(Self.bounds, value.buckets).map { "\(name)_bucket{\(comma)le=\"\($0)\"} \($1)\n" }
    return buckets.joined() + "\(name)_bucket{\(comma)le=\"+Inf\"} \(value.count)\n"
      + "\(name)_sum\(braces) \(Self.number(value.sum))\n\(name)_count\(braces) \(value.count)\n"
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? String(value)
  }
}
