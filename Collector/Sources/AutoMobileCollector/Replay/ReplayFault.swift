/// Something that went wrong in an app while it was recorded, told beside the replay.
struct ReplayFault: Sendable {
  static let categories = ["signal", "exception", "anr", "crash"]
  /// Of each text, in bytes.
  private static let most = 16 << 10

  var incident: String
  var replay: String?
  var timestamp: Int64
  var category: String
  var identifier: String
  var detail: String
  var frames: String
  var context: String

  /// - Throws: ``APIError`` that names the member.
  init(_ body: JSONTree) throws {
    incident = try ReplaySegment.name(body, "incidentId")
    replay = body["sessionId"].map(\.isNull) == false ? try ReplaySegment.name(body, "sessionId") : nil
    timestamp = try ReplaySegment.number(body, "timestampMs", 0...ReplayTimes.most)
    category = body["category"]?.string ?? ""
    guard Self.categories.contains(category) else {
      throw ReplaySegment.invalid("category", "one of \(Self.categories.joined(separator: ", "))")
    }
    identifier = String((body["identifier"]?.string ?? "").prefix(200))
    detail = String((body["detail"]?.string ?? "").prefix(4000))
    frames = Self.json(body["frames"], "[]")
    context = Self.json(body["context"], "{}")
  }

  /// What an app wrote into it, as it may be written.
  mutating func redact(_ text: (String) -> String) {
    (identifier, detail, frames, context) = (text(identifier), text(detail), text(frames), text(context))
  }

  private static func json(_ tree: JSONTree?, _ nothing: String) -> String {
    guard let text = tree?.text, text.utf8.count <= most else { return nothing }
    return text
  }
}
