import Foundation

/// Documentation: *CFTimeInterval*. iOS 2.0.
public typealias CFTimeInterval = Double

/// Documentation: *CADisplayLink*. iOS 3.1.
open class CADisplayLink: NSObject {
  private let target: Any
  private let selector: Selector
  private(set) var modes: Set<RunLoop.Mode> = []

  /// Documentation: *init(target:selector:)*. iOS 3.1.
  public init(target: Any, selector sel: Selector) {
    self.target = target
    selector = sel
  }

  /// Documentation: *add(to:forMode:)*. iOS 3.1.
  open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
    modes.insert(mode)
    SimulatedDisplay.main.add(self)
  }

  /// Documentation: *invalidate()*. iOS 3.1.
  open func invalidate() {
    modes = []
    SimulatedDisplay.main.remove(self)
  }

  /// Documentation: *isPaused*. iOS 3.1.
  open var isPaused = false

  /// Documentation: *timestamp*. iOS 3.1.
  open internal(set) var timestamp: CFTimeInterval = 0

  /// Documentation: *targetTimestamp*. iOS 10.0.
  open internal(set) var targetTimestamp: CFTimeInterval = 0

  /// The display shows a frame while the run loop is in `mode`.
  func tick(_ mode: RunLoop.Mode, from timestamp: CFTimeInterval, to targetTimestamp: CFTimeInterval) {
    guard !isPaused, modes.contains(mode) || modes.contains(.common) else { return }
    self.timestamp = timestamp
    self.targetTimestamp = targetTimestamp
    (target as? any SimulatedTarget)?.simulateMessage(selector, self)
  }
}
