import Foundation

/// What is told: facts in plain text. Each channel writes them in its own way, and escapes them as it has to: titles and routes
/// come from apps.
struct Alert: Codable, Sendable, Equatable {
  enum Event: String, Codable, Sendable {
    case triggered, resolved, test
  }

  enum Severity: String, Codable, Sendable {
    case critical, error, warning, info
  }

  struct Fact: Codable, Sendable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  var event: Event = .triggered
  /// Of the rule.
  var rule: Int64 = 0
  var ruleName = ""
  var kind: AlertRule.Kind
  /// What it is about, among everything that the rule finds: an issue, a route; empty when there is one thing only.
  var subject: String
  var severity: Severity
  var title: String
  /// One sentence.
  var text: String
  var facts: [Fact] = []
  /// Where in the viewer: `#/issues/…`.
  var place: String?
  /// When it happened; milliseconds since 1970.
  var at: Int64
  /// How often it happened again in the quiet time before.
  var repeats: Int64?

  /// By which a receiver knows that two alerts are about the same.
  var thread: String {
    let name = "automobile-\(rule)-" + (subject.isEmpty ? "all" : subject)
    return name.utf8.count <= 200 ? name : "automobile-\(rule)-" + SHA256.hex(Array(subject.utf8))
  }

  /// Of texts that apps recorded, so much is told.
  ///
  /// - Parameter length: in UTF-16 units, as the strictest receivers count: what is one character to readers can be hundreds to
  ///   them, and a message that is too long is refused for good. Characters stay whole.
  static func short(_ text: String, _ length: Int = 200) -> String {
    var line = ""
    var units = 0
    // Bytes that stay if it has to be cut: one unit is left for the ellipsis.
    var room = 0
    for character in text {
      let isBreak =
        character.isNewline || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
      units += isBreak ? 1 : character.utf16.count
      guard units <= length else { return String(decoding: line.utf8.prefix(room), as: UTF8.self) + "…" }
      line.append(isBreak ? " " : character)
      if units < length { room = line.utf8.count }
    }
    return line
  }

  /// In UTC, to the minute: receivers are everywhere.
  static func time(_ milliseconds: Int64) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    let text = formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    return text.prefix(16).replacing("T", with: " ") + " UTC"
  }

  static func iso(_ milliseconds: Int64) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  init?(json: String) {
    guard let alert = try? JSONDecoder().decode(Alert.self, from: Data(json.utf8)) else { return nil }
    self = alert
  }

  init(
    kind: AlertRule.Kind, subject: String, severity: Severity, title: String, text: String, facts: [Fact] = [],
    place: String? = nil, at: Int64
  ) {
    (self.kind, self.subject, self.severity) = (kind, subject, severity)
    (self.title, self.text, self.facts, self.place, self.at) = (title, text, facts, place, at)
  }
}
