import Foundation

/// The display, whose frames come when a test says so. Apple's framework does not have it. For one thread, the main
/// one.
public final class SimulatedDisplay {
  nonisolated(unsafe) public static let main = SimulatedDisplay()

  private var links: [CADisplayLink] = []
  /// When the last frame was shown, in seconds.
  public private(set) var time: CFTimeInterval = 1000
  /// Frames a second that the display shows now: 60, or what ProMotion has come to.
  public var rate = 60.0
  /// The run loop's mode: `.tracking` while somebody scrolls, for example.
  public var mode = RunLoop.Mode.default

  /// How many links there are, paused ones too.
  public var linkCount: Int { links.count }

  func add(_ link: CADisplayLink) { if !links.contains(where: { $0 === link }) { links.append(link) } }
  func remove(_ link: CADisplayLink) { links.removeAll { $0 === link } }

  /// The next frame is shown after `seconds`: later than the display's rate would have it when the main thread was
  /// busy.
  public func simulateFrame(after seconds: Double? = nil) {
    time += seconds ?? 1 / rate
    for link in links { link.tick(mode, from: time, to: time + 1 / rate) }
  }

  public func simulateFrames(_ count: Int) { for _ in 0..<count { simulateFrame() } }
}

extension RunLoop.Mode {
  /// Documentation: *tracking*. iOS 2.0.
  public static let tracking = RunLoop.Mode("UITrackingRunLoopMode")
}
