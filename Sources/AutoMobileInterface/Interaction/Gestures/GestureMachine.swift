import Foundation

/// Makes gestures of touches. It has no clock of its own: touches say when they were.
///
/// A gesture begins with the first finger that comes down, and ends with the last that leaves. One thread.
struct GestureMachine {
  /// A tap moves less than this, in points.
  static let tapMovement = 10.0
  /// A tap is shorter than this, in seconds.
  static let tapSeconds = 0.3
  /// A long press is at least this long, in seconds.
  static let longPressSeconds = 0.5
  /// A swipe is faster than this, in points a second.
  static let swipeSpeed = 200.0
  /// A pinch changes the distance of the fingers by at least this factor.
  static let pinchFactor = 1.1
  /// A rotation turns them by at least this much, in degrees.
  static let rotationDegrees = 10.0
  /// More are left out: a palm, or nonsense.
  static let maximumFingers = 10

  private struct Finger {
    let id: ObjectIdentifier
    let start: ScreenPoint
    var last: ScreenPoint
    /// The farthest that it was from its start.
    var movement = 0.0
    var isDown = true
  }

  private var fingers: [Finger] = []
  private var startTime = 0.0
  private var lastTime = 0.0
  private var isVoid = false

  /// In which what is under the first finger can scroll.
  private var axes: ScrollAxes = []

  /// Whether a gesture is under way.
  var isUnderWay: Bool { fingers.contains { $0.isDown } }

  /// - Parameters:
  ///   - samples: the touches of one event: all that there are in a window, also those that did not change.
  ///   - began: called when the first finger of a gesture comes down; tells what is under it.
  /// - Returns: the gesture that has ended with this event, if it was one.
  mutating func receive(_ samples: [TouchSample], began: (TouchSample) -> ScrollAxes = { _ in [] }) -> Gesture? {
    forgetLost(samples)
    for sample in samples {
      if sample.phase == .began { begin(sample, began) } else { follow(sample) }
    }
    guard !fingers.isEmpty, !isUnderWay else { return nil }
    defer { reset() }
    return isVoid ? nil : gesture()
  }

  /// As if nobody had touched anything.
  mutating func reset() {
    fingers.removeAll(keepingCapacity: true)
    isVoid = false
    axes = []
  }

  /// A finger whose end was never told, because its window went away: the next touch finds it missing.
  private mutating func forgetLost(_ samples: [TouchSample]) {
    let isLost = fingers.contains { finger in finger.isDown && !samples.contains { $0.finger == finger.id } }
    if isLost { reset() }
  }

  private mutating func begin(_ sample: TouchSample, _ began: (TouchSample) -> ScrollAxes) {
    if !isUnderWay {
      reset()
      startTime = sample.time
      lastTime = sample.time
      axes = began(sample)
    }
    if !sample.isFinite { isVoid = true }
    guard fingers.count < Self.maximumFingers else { return }
    fingers.append(Finger(id: sample.finger, start: sample.place, last: sample.place))
  }

  private mutating func follow(_ sample: TouchSample) {
    guard let index = fingers.firstIndex(where: { $0.isDown && $0.id == sample.finger }) else { return }
    if !sample.isFinite { isVoid = true }
    fingers[index].last = sample.place
    fingers[index].movement = max(fingers[index].movement, fingers[index].start.distance(to: sample.place))
    lastTime = max(lastTime, sample.time)
    // Cancelled by a call, or by an edge gesture of the system's: the app was never meant.
    if sample.phase == .cancelled { isVoid = true }
    if sample.phase == .cancelled || sample.phase == .ended { fingers[index].isDown = false }
  }

  // MARK: What it was

  private func gesture() -> Gesture? {
    guard let start = Self.middle(fingers.map(\.start)), let end = Self.middle(fingers.map(\.last)) else { return nil }
    var gesture = Gesture(
      kind: .press, start: start, end: end, duration: max(0, lastTime - startTime), time: lastTime,
      fingers: fingers.count)
    if fingers.count > 1, turned(&gesture) { return gesture }
    if fingers.allSatisfy({ $0.movement < Self.tapMovement }) {
      // Where the finger came down is where it was meant.
      gesture.end = start
      if gesture.duration < Self.tapSeconds { gesture.kind = .tap }
      if gesture.duration >= Self.longPressSeconds { gesture.kind = .longPress }
      return gesture
    }
    dragged(&gesture)
    return gesture
  }

  private func dragged(_ gesture: inout Gesture) {
    let direction = Self.direction(from: gesture.start, to: gesture.end)
    gesture.direction = direction
    let speed = gesture.start.distance(to: gesture.end) / max(gesture.duration, 0.001)
    gesture.kind = axes.contains(direction) ? .scroll : speed > Self.swipeSpeed ? .swipe : .pan
  }

  /// Two fingers that turn or change their distance: whichever is more of what it takes.
  private func turned(_ gesture: inout Gesture) -> Bool {
    let (first, second) = (fingers[0], fingers[1])
    let before = first.start.distance(to: second.start)
    let after = first.last.distance(to: second.last)
    guard before > 1, after > 1, first.movement >= Self.tapMovement || second.movement >= Self.tapMovement else {
      return false
    }
    let scale = after / before
    let degrees = Self.turn(
      Self.angle(first.start, second.start), Self.angle(first.last, second.last))
    let pinch = abs(log(scale)) / log(Self.pinchFactor)
    let rotation = abs(degrees) / Self.rotationDegrees
    guard max(pinch, rotation) >= 1 else { return false }
    gesture.kind = pinch >= rotation ? .pinch : .rotation
    gesture.scale = pinch >= rotation ? scale : nil
    gesture.degrees = pinch >= rotation ? nil : degrees
    return true
  }

  private static func angle(_ from: ScreenPoint, _ to: ScreenPoint) -> Double {
    // Downwards is positive on a screen, so this grows clockwise.
    atan2(to.y - from.y, to.x - from.x) * 180 / .pi
  }

  /// From one angle to another, the shorter way round.
  private static func turn(_ from: Double, _ to: Double) -> Double {
    let turn = (to - from).truncatingRemainder(dividingBy: 360)
    return turn > 180 ? turn - 360 : turn <= -180 ? turn + 360 : turn
  }

  private static func direction(from start: ScreenPoint, to end: ScreenPoint) -> Gesture.Direction {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    if abs(dx) >= abs(dy) { return dx < 0 ? .left : .right }
    return dy < 0 ? .up : .down
  }

  private static func middle(_ places: [ScreenPoint]) -> ScreenPoint? {
    guard !places.isEmpty else { return nil }
    let count = Double(places.count)
    return ScreenPoint(
      x: places.reduce(0) { $0 + $1.x } / count, y: places.reduce(0) { $0 + $1.y } / count)
  }
}
