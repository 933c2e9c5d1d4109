/// What the arithmetic of ``SizingEstimate`` stands on. Each was measured, and Documentation/Performance.md says by which command.
package enum MeasuredFigures {
  /// Bytes of the index for an event of so many bytes of JSON: a part for its columns and indexes, and one that grows with it.
  /// `collector-bench bytes`.
  package static let indexed = Growth(fixed: 106, each: 1.06)
  /// What full text adds to that. `collector-bench bytes`.
  package static let fullText = Growth(fixed: -14, each: 0.27)
  /// Bytes on the wire for each byte of JSON, compressed: 0.21 for short events, 0.45 for such with much text.
  /// `collector-bench bytes`.
  package static let compressed = 0.35
  /// Bytes of replay an hour. `adapter-bench replay-hour`.
  package static let replayHour = 10_100_000.0
  /// Events that one core acknowledges a second. `collector-bench`.
  package static let acknowledged = 1_690_000.0
  /// Events that one index takes a second. `collector-bench`, `collector-bench --full-text`.
  package static let indexedPerSecond = 222_000.0
  package static let indexedPerSecondWithText = 179_000.0
  /// The largest index that questions were put to, in events. `collector-bench --full-text --events 10000000`.
  package static let largestIndex = 10_000_000.0

  // MARK: ClickHouse

  /// Bytes of all shards for each byte of JSON: of a mixture of all kinds of events, and of long texts that are rarely the same, which
  /// are there twice, to be read and to be searched, and hardly compressed. `collector-bench bytes --clickhouse`.
  package static let stored = 0.44...1.6
  /// The most that questions were put to, in events. `collector-bench viewer --clickhouse`.
  package static let mostAsked = 5_000_000.0
  /// Events a second for which one core of a collector makes rows and sends them. `collector-bench clickhouse-ingest`.
  package static let sentPerSecond = 346_000.0
  /// Events a second that one core of the shards takes: what is left of the two cores of 228 000 a second. The same.
  package static let storedPerSecond = 170_000.0

  package struct Growth: Sendable {
    var fixed: Double
    var each: Double

    package func bytes(of event: Double) -> Double { max(0, fixed + each * event) }
  }
}
