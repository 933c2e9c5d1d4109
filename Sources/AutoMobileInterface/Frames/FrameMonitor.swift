import AutoMobileRecorder

/// Tells of slow and frozen frames, by second and by screen. The main thread's.
///
/// While frames are smooth, one costs a few comparisons, and nothing is recorded.
@MainActor final class FrameMonitor {
  private let record: (SdkCustomEvent) -> Void
  private let currentScreen: CurrentScreen
  private var frames = FrameAccumulator()
  /// The screen of the frames that are counted now; none was named before the first navigation.
  private var screen: String?
  private var change: UInt64

  init(currentScreen: CurrentScreen, record: @escaping (SdkCustomEvent) -> Void) {
    self.currentScreen = currentScreen
    self.record = record
    change = currentScreen.changes
    screen = currentScreen.noted
  }

  /// A frame was shown; see ``FrameAccumulator/frame(at:nominal:)``.
  func frame(at time: Double, nominal: Double) {
    if currentScreen.changes != change { screenChanged() }
    if let report = frames.frame(at: time, nominal: nominal) { tell(report) }
  }

  /// The app goes to the background, or nobody wants to know any more.
  func pause() { frames.endScreen(pausing: true).forEach(tell) }

  private func screenChanged() {
    // The frame that is shown now still belongs to what was there before: it began there.
    frames.endScreen(pausing: false).forEach(tell)
    change = currentScreen.changes
    screen = currentScreen.noted
  }

  private func tell(_ report: FrameAccumulator.Report) {
    var properties: [String: MetadataValue]
    switch report {
    case .second(let statistics):
      properties = statistics.properties
      properties["scope"] = "second"
    case .screen(let statistics):
      properties = statistics.properties
      properties["scope"] = "screen"
    }
    properties["screen"] = screen.map { .string($0) }
    record(SdkCustomEvent(name: RecordedName.frames, properties: properties))
  }
}
