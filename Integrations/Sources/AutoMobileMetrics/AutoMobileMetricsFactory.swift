import AutoMobileRecorder
public import CoreMetrics
import Foundation

/// A backend of swift-metrics: what the program counts and measures is added up, and recorded once in an interval in which something
/// came, as a custom event named ``eventName``.
///
///     MetricsSystem.bootstrap(AutoMobileMetricsFactory())
///     Counter(label: "orders", dimensions: [("kind", "card")]).increment()
///
/// The event's properties are `counters` (by how much each grew), `gauges` (the last value), `recorders` and `timers` (how many, their sum,
/// the least and the most; timers in milliseconds), each by the label with its dimensions: `orders{kind=card}`. Of more than
/// ``mostSeries`` different ones the later are left out, and counted in `leftOut`. What has not been recorded when the process is killed
/// is lost: at most an interval.
public final class AutoMobileMetricsFactory: MetricsFactory, Sendable {
  public static let eventName = "Metrics"
  /// Labels with dimensions that are told apart.
  public static let mostSeries = 1000

  let series: SeriesTable

  /// - Parameters:
  ///   - interval: seconds between two records, a second at least.
  ///   - sdk: where to record.
  public init(interval: TimeInterval = 60, sdk: AutoMobileSDK = .shared) {
    series = SeriesTable(interval: interval.isFinite ? max(1, interval) : 60, sdk: sdk)
  }

  /// Records now what has been added up. Durable when it returns.
  public func record() { series.record() }

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    SeriesHandler(series, .counters, label, dimensions)
  }

  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    SeriesHandler(series, .counters, label, dimensions)
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    SeriesHandler(series, .gauges, label, dimensions)
  }

  /// One that does not aggregate is a gauge.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    SeriesHandler(series, aggregate ? .recorders : .gauges, label, dimensions)
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    SeriesHandler(series, .timers, label, dimensions)
  }

  // What is gone says nothing any more: there is nothing to be freed.
  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}
}
