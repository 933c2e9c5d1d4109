import Foundation

/// What a replay records of itself. What the app does (screens, taps, requests, logs, its own events) comes through telemetry,
/// whose events carry the replay's id.
package enum TimelineEvent: Sendable, Equatable {
  case sessionStart
  case foreground
  case background
  /// Another user, or none.
  case identity(String?)
  case freezeBegan(id: String, startedAt: Int64)
  case freezeEnded(id: String, durationMs: Int64?)
  /// Frames are missing from here on.
  case gap(FrameGap)
  case sessionEnd(ReplayEndReason)

  /// One line of JSON.
  func line(at time: Int64) -> Data {
    var members: [String: Any] = ["t": time, "type": type]
    switch self {
    case .sessionStart, .foreground, .background: break
    case .identity(let user): members["userId"] = user
    case .freezeBegan(let id, let startedAt):
      members["id"] = id
      members["startedAt"] = startedAt
    case .freezeEnded(let id, let durationMs):
      members["id"] = id
      members["durationMs"] = durationMs
    case .gap(let gap):
      members["dropped"] = gap.frames
      members["reason"] = gap.reason.rawValue
      members["until"] = gap.until
    case .sessionEnd(let reason): members["reason"] = reason.rawValue
    }
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    return (try? JSONSerialization.data(withJSONObject: members, options: options)) ?? Data()
  }

  private var type: String {
    switch self {
    case .sessionStart: "session_start"
    case .foreground: "foreground"
    case .background: "background"
    case .identity: "identity"
    case .freezeBegan: "anr"
    case .freezeEnded: "anr_end"
    case .gap: "gap"
    case .sessionEnd: "session_end"
    }
  }
}
