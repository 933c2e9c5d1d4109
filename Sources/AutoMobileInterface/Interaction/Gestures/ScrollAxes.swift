/// The directions in which what is under a finger can scroll.
struct ScrollAxes: OptionSet, Sendable {
  let rawValue: UInt8
  static let horizontal = ScrollAxes(rawValue: 1)
  static let vertical = ScrollAxes(rawValue: 2)

  func contains(_ direction: Gesture.Direction) -> Bool {
    switch direction {
    case .left, .right: contains(.horizontal)
    case .up, .down: contains(.vertical)
    }
  }
}
