import AutoMobileState
import Foundation

/// The address at which an external tracker takes a new issue: of a project, with names in braces for what is known of the issue.
///
/// `https://github.com/acme/shop/issues/new?title={title}&body={url}`
struct TrackerTemplate: Sendable, Equatable {
  let text: String

  static let names = ["title", "subtitle", "message", "id", "kind", "app", "version", "count", "url"]
  private static let longest = 1000

  /// - Throws: ``APIError`` that says what an address looks like.
  init(checking text: String) throws {
    guard Self.isAddress(text), text.count <= Self.longest else {
      throw APIError.badRequest(
        "invalid_tracker",
        "tracker must be an address of at most \(Self.longest) characters that begins with https:// or http://, such as "
          + "https://github.com/acme/shop/issues/new?title={title}&body={url}")
    }
    for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
      let name = part.prefix { $0 != "}" }
      guard name.count < part.count, Self.names.contains(String(name)) else {
        throw APIError.badRequest(
          "invalid_tracker", "tracker knows {\(Self.names.joined(separator: "}, {"))}, and not {\(name.prefix(40))}")
      }
    }
    self.text = text
  }

  private init(_ text: String) { self.text = text }

  /// Of the project that an app is; nil when there is none.
  static func of(_ bundleId: String, in state: borrowing StateReading) throws -> TrackerTemplate? {
    let text: String? = try state.value(
      "SELECT tracker FROM project WHERE bundleId = ?1 AND tracker IS NOT NULL", bundleId)
    return text.map { TrackerTemplate($0) }
  }

  /// An address that may stand behind a link: nothing else is one, and never a script.
  static func isAddress(_ text: String) -> Bool {
    let lower = text.prefix(9).lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return false }
    let rest = text.dropFirst(scheme.count)
    return rest.first.map { $0.isLetter || $0.isNumber || $0 == "[" } == true
      && !text.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F || $0.properties.isWhitespace }
  }

  /// With what is known of an issue; `{url}` stays, for whoever shows the link knows where the viewer is.
  func filled(for issue: IssueRow) -> String {
    let newest = issue.versions.map(\.version).max { VersionOrder.compare($0, $1) < 0 }
    let values = [
      "title": issue.title, "subtitle": issue.subtitle, "message": issue.message, "id": issue.name, "kind": issue.kind,
      "app": issue.bundleId, "version": newest, "count": String(issue.events),
    ]
    return Self.names.reduce(text) { result, name in
      guard let value = values[name] else { return result }
      return result.replacing("{\(name)}", with: (value ?? "").percentEncoded)
    }
  }
}
