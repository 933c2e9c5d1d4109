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
  package static let indexedPerSecond = 178_000.0
  package static let indexedPerSecondWithText = 111_000.0
  /// The largest index that questions were put to, in events. `collector-bench --full-text --events 10000000`.
  package static let largestIndex = 10_000_000.0

  package struct Growth: Sendable {
    var fixed: Double
    var each: Double

    package func bytes(of event: Double) -> Double { max(0, fixed + each * event) }
  }
}
