import AutoMobileRecorder

/// Frames that the display showed in some stretch of time.
struct FrameStatistics: Equatable, Sendable {
  /// A frame is slow when it takes more than this many times what the display's rate gives it.
  static let slowFactor = 1.5
  /// A frame is frozen when it takes more than this, in seconds.
  static let frozenSeconds = 0.7

  /// How long it took, in seconds: the sum of the frames.
  var duration = 0.0
  var frames = 0
  /// Frozen ones are slow, too.
  var slow = 0
  var frozen = 0
  /// The longest, in seconds.
  var worst = 0.0

  mutating func add(_ seconds: Double, nominal: Double) {
    duration += seconds
    frames += 1
    worst = max(worst, seconds)
    // A display link that knows no rate yet says 0.
    if nominal > 0, seconds > nominal * Self.slowFactor || seconds > Self.frozenSeconds { slow += 1 }
    if seconds > Self.frozenSeconds { frozen += 1 }
  }

  var isSmooth: Bool { slow == 0 && frozen == 0 }

  /// As properties of an event, times in milliseconds.
  var properties: [String: MetadataValue] {
    [
      "durationMs": Self.milliseconds(duration), "frames": .int(Int64(frames)), "slow": .int(Int64(slow)),
      "frozen": .int(Int64(frozen)), "worstMs": Self.milliseconds(worst),
      "fps": .double(duration > 0 ? Self.rounded(Double(frames) / duration) : 0),
      "frameMs": .double(frames > 0 ? Self.rounded(duration * 1000 / Double(frames)) : 0),
    ]
  }

  private static func milliseconds(_ seconds: Double) -> MetadataValue {
    .int(Int64(saturating: (seconds * 1000).rounded()))
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
