import Foundation

/// Where a search was found, when that is not to be seen in the row itself.
struct SearchMatch: Sendable {
  var event: Int64
  var timestamp: Int64
  /// Of the event.
  var type: String
  /// The member of the event.
  var field: String
  /// The words, with some of what stands around them.
  var text: String

  func write(to json: inout JSONOutput) {
    json.object("match") {
      $0.member("event", event)
      $0.member("timestamp", timestamp)
      $0.member("type", type)
      $0.member("field", field)
      $0.member("text", text)
    }
  }

  // MARK: Reading events

  /// What says most of an event, when nothing in it was looked for.
  private static let telling = [
    "customMessage", "message", "errorMessage", "errorDomain", "destination", "name", "state", "key", "url",
    "properties",
  ]
  private static let before = 40
  private static let after = 120
  /// What people wrote, before what else there is.
  private static let preferred: Set = ["message", "errorMessage", "customMessage", "url"]
  /// Names of other things, which people do not look for.
  private static let names: Set = ["eventType", "sessionId", "contextId", "context", "launchId", "bundleId"]

  /// The first member of an event that holds one of the texts, the one that holds most of them; nil when none does.
  static func snippet(
    _ texts: [String], in payload: UnsafeRawBufferPointer, maximumDepth: Int
  ) -> (field: String, text: String)? {
    var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
    var best: (points: Int, field: String, text: String)?
    _ = try? scanner.document { scanner in
      try scanner.object { scanner, key in
        let name = scanner.decode(key)
        scanner.collected = names.contains(name) ? nil : []
        try scanner.skip()
        guard let collected = scanner.collected, collected.count > 1 else { return }
        let text = String(decoding: collected.dropLast(), as: UTF8.self)
        let places = texts.compactMap { text.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive]) }
        let points = 2 * places.count + (preferred.contains(name) ? 1 : 0)
        guard let first = places.min(by: { $0.lowerBound < $1.lowerBound }), points > best?.points ?? 0 else { return }
        best = (points, name, part(of: text, around: first))
      }
    }
    return best.map { ($0.field, $0.text) }
  }

  /// What an event says of itself, in short; nil when it says nothing in words.
  static func summary(
    of payload: UnsafeRawBufferPointer, maximumDepth: Int
  ) -> (field: String, text: String)? {
    var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
    var best: (rank: Int, field: String, text: String)?
    _ = try? scanner.document { scanner in
      try scanner.object { scanner, key in
        let name = scanner.decode(key)
        let rank = telling.firstIndex(of: name) ?? telling.count
        scanner.collected = names.contains(name) || rank >= best?.rank ?? .max ? nil : []
        try scanner.skip()
        guard let collected = scanner.collected, collected.count > 1 else { return }
        best = (rank, name, String(decoding: collected.dropLast(), as: UTF8.self))
      }
    }
    return best.map { ($0.field, $0.text) }
  }

  /// On one line, as long as a list has room for.
  static func line(_ text: String) -> String { part(of: text, around: text.startIndex..<text.startIndex) }

  private static func part(of text: String, around place: Range<String.Index>) -> String {
    let start = text.index(place.lowerBound, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(place.lowerBound, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
    let line = text[start..<end].map { $0.isNewline ? " " : String($0) }.joined()
    return (start > text.startIndex ? "…" : "") + line + (end < text.endIndex ? "…" : "")
  }
}
