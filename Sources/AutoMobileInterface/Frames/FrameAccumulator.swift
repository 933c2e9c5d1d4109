/// Counts the frames of the display by second and by screen. It has no clock of its own: frames say when they were
/// shown.
struct FrameAccumulator {
  /// What there is to tell.
  enum Report: Equatable {
    /// A second in which frames were slow or frozen.
    case second(FrameStatistics)
    /// All frames of a screen.
    case screen(FrameStatistics)
  }

  /// A second ends with the first frame after so much time.
  static let window = 1.0
  /// Longer than this, and it was no frame: the process was stopped, by a debugger for example. In seconds.
  static let longestFrame = 60.0

  private var second = FrameStatistics()
  private var screen = FrameStatistics()
  /// When the frame before was shown, and for how long the display meant to show it.
  private var last: (time: Double, nominal: Double)?

  /// A frame was shown.
  ///
  /// - Parameters:
  ///   - time: when, in seconds, on a clock that never jumps.
  ///   - nominal: for how long, at the rate that the display has now.
  /// - Returns: the second that has ended with it, if there is something to tell of it.
  mutating func frame(at time: Double, nominal: Double) -> Report? {
    guard time.isFinite, nominal.isFinite else { return nil }
    defer { last = (time, nominal) }
    guard let last else { return nil }
    let seconds = time - last.time
    guard seconds > 0, seconds < Self.longestFrame else { return nil }
    // Where the rate changes (ProMotion), a frame may take what either gives it.
    let allowed = max(nominal, last.nominal)
    second.add(seconds, nominal: allowed)
    screen.add(seconds, nominal: allowed)
    return second.duration >= Self.window ? endSecond() : nil
  }

  /// Frames stop, or the app goes on to another screen.
  ///
  /// - Parameter pausing: the next frame does not follow this one.
  mutating func endScreen(pausing: Bool) -> [Report] {
    defer {
      screen = FrameStatistics()
      if pausing { last = nil }
    }
    var reports: [Report] = []
    if let report = endSecond() { reports.append(report) }
    if screen.frames > 0 { reports.append(.screen(screen)) }
    return reports
  }

  private mutating func endSecond() -> Report? {
    defer { second = FrameStatistics() }
    return second.isSmooth ? nil : .second(second)
  }
}
