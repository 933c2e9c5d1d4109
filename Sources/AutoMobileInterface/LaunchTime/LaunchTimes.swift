import AutoMobileRecorder

/// When what of the launch happened, in milliseconds on a clock that goes on while the device sleeps.
struct LaunchTimes: Equatable, Sendable {
  var kind: LaunchKind
  /// The kernel made the process; nil when it does not say.
  var processStart: Int64?
  /// The program's code begins: libraries are loaded, `main` comes next.
  var main: Int64
  /// The SDK was initialized.
  var initialize: Int64
  /// The first frame was shown; nil when none was.
  var firstFrame: Int64?

  /// Longer than this, and a clock was wrong, or nobody was waiting. In milliseconds.
  static let longest: Int64 = 180_000

  /// - Returns: nil when the times contradict each other.
  var event: SdkCustomEvent? {
    guard let preMain = Self.span(processStart, main), let toInitialize = Self.span(main, initialize),
      let toFirstFrame = Self.span(initialize, firstFrame)
    else { return nil }
    var properties: [String: MetadataValue] = ["kind": .string(kind.rawValue)]
    properties["initializeToFirstFrameMs"] = toFirstFrame.value.map { .int($0) }
    if kind == .prewarmed {
      // How long ago the process was made says nothing about how long anybody waited.
      properties["totalMs"] = toFirstFrame.value.map { .int($0) }
    } else {
      properties["preMainMs"] = preMain.value.map { .int($0) }
      properties["mainToInitializeMs"] = toInitialize.value.map { .int($0) }
      let total = Self.span(processStart ?? main, firstFrame ?? initialize)
      guard let total else { return nil }
      properties["totalMs"] = total.value.map { .int($0) }
      if let whole = total.value, whole > Self.longest { return nil }
    }
    return SdkCustomEvent(name: RecordedName.launch, properties: properties)
  }

  private struct Span { var value: Int64? }

  /// Nothing when one end is not known; nil when the end is before the beginning.
  private static func span(_ from: Int64?, _ to: Int64?) -> Span? {
    guard let from, let to else { return Span(value: nil) }
    let span = to &- from
    // The second for times so far apart that their difference is no number.
    return to >= from && span >= 0 ? Span(value: span) : nil
  }
}
