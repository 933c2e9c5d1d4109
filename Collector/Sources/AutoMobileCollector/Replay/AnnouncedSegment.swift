import AutoMobileState
import Foundation

/// What a device announced of a segment, in the address that it puts the body to: behind a balancer that may be another collector, which
/// has heard nothing of it. Under a code of ours, as upload tokens are; nothing is kept of it.
///
/// Source: as with the presigned URLs of an S3 store, the address says what may come there, and until when.
extension UploadTokens {
  /// Sessions beyond this many bytes of them are not in it: an address has room for a few thousand.
  private static let mostSessions = 1500

  func announced(_ segment: ReplaySegment, of app: DeliveringApp, at now: Int64) -> String {
    var room = Self.mostSessions
    let sessions = segment.sessions.prefix { session in
      // Without its quotes. An escape takes more room than what it stands for.
      room -= JSONTree.string(session).text.utf8.count - 2
      return room >= 0
    }
    var members: [String: JSONTree] = [
      "owner": .string(app.owner.name), "expires": .integer(now + Self.lifetime * 1000),
      "sessionId": .string(segment.replay), "segmentId": .string(segment.id), "kind": .string(segment.kind.rawValue),
      "startTime": .integer(segment.first), "endTime": .integer(segment.last), "frameCount": .integer(segment.frames),
      "sizeBytes": .integer(segment.size), "telemetrySessionIds": .array(sessions.map(JSONTree.string)),
    ]
    members["contentHash"] = segment.contentHash.map(JSONTree.string)
    members["continues"] = segment.continues.map(JSONTree.string)
    let text = Self.addressed(Data(JSONTree.object(members).text.utf8).base64EncodedString())
    return "\(text).\(code("segment \(text)"))"
  }

  /// - Returns: nil when it is not ours, over, or another app's.
  func announced(_ text: String, of app: DeliveringApp, at now: Int64) -> ReplaySegment? {
    guard text.utf8.count <= 8000 else { return nil }
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, IngestKey(code("segment \(parts[0])")).matches(parts[1]),
      let data = Data(base64Encoded: Self.plain(parts[0])),
      let tree = try? JSONDecoder().decode(JSONTree.self, from: data),
      let expires = tree["expires"]?.integer, now < expires, tree["owner"]?.string == app.owner.name
    else { return nil }
    return try? ReplaySegment(tree)
  }

  /// Of Base64, what means something else in an address.
  private static func addressed(_ base64: String) -> String {
    String(base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  private static func plain(_ text: String) -> String {
    let base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
  }
}
