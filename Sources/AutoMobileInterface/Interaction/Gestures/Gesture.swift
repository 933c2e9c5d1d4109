import Foundation

/// What fingers did, from the first that came down to the last that left.
struct Gesture: Equatable, Sendable {
  /// By the names that it has in `SdkInteractionEvent.interactionType`.
  enum Kind: String, Sendable, CaseIterable {
    case tap
    /// On one place, longer than a tap and shorter than a long press.
    case press
    case longPress = "long_press"
    /// Fast, where nothing scrolls.
    case swipe
    /// Over something that scrolls in this direction.
    case scroll
    /// Slow, where nothing scrolls.
    case pan
    case pinch
    case rotation
  }

  enum Direction: String, Sendable { case left, right, up, down }

  var kind: Kind
  /// Where it began: in the middle of the fingers.
  var start: ScreenPoint
  var end: ScreenPoint
  /// In seconds.
  var duration: Double
  /// When it ended, in seconds on the clock of the touches.
  var time = 0.0
  var fingers = 1
  /// Of what moves.
  var direction: Direction?
  /// Of a pinch: above 1 when the fingers went apart.
  var scale: Double?
  /// Of a rotation: clockwise, in degrees.
  var degrees: Double?

  /// Beside where it began.
  var details: [String: String] {
    var details: [String: String] = [:]
    if kind != .tap {
      details["durationMs"] = String(Int64(saturating: (duration * 1000).rounded()))
      if start != end {
        details["toX"] = end.x.oneDecimal
        details["toY"] = end.y.oneDecimal
      }
    }
    if fingers > 1 { details["fingers"] = String(fingers) }
    details["direction"] = direction?.rawValue
    details["scale"] = scale.map { Self.rounded($0, to: 100) }
    details["degrees"] = degrees?.oneDecimal
    return details
  }

  /// The same where nobody may know where it was: neither to where nor which way, unless something scrolled. Shapes that are drawn
  /// with a finger unlock as codes do.
  var coveredDetails: [String: String] {
    var details = details
    for key in ["toX", "toY", "scale", "degrees"] { details[key] = nil }
    if kind != .scroll { details["direction"] = nil }
    return details
  }

  private static func rounded(_ value: Double, to parts: Double) -> String {
    value.isFinite ? ((value * parts).rounded() / parts).description : "0.0"
  }
}

extension Double {
  /// As coordinates are recorded. What is no number is 0, as in all events.
  var oneDecimal: String {
    guard isFinite else { return "0.0" }
    // Larger ones have no decimals.
    guard magnitude < 1e15 else { return description }
    // Adding 0 makes -0.0 an ordinary one.
    return ((self * 10).rounded() / 10 + 0).description
  }
}
