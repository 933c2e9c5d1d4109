import Foundation

/// The event of a session to which a term leads that is not made of an event's words: a status, a type, a screen, an issue. Of a
/// session the first one is meant.
struct SessionMoment: Sendable {
  enum Kind: Sendable {
    case request
    case failedRequest
    case status([SearchValue])
    case issue
    /// One with this text in it.
    case issueSaying(String)
    /// With this text in it, or called so.
    case issueOf([SearchValue])
    case screen([SearchValue])
    /// nil: of any type.
    case error(type: String?)
    case type([SearchValue])
  }

  var kind: Kind
  /// A word that is not looked for where the row shows it.
  var word: String?

  /// What of the event was asked for.
  var field: String {
    switch kind {
    case .request, .failedRequest, .status: "statusCode"
    case .issue, .issueSaying, .issueOf: "issue"
    case .screen: "destination"
    case .error, .type: "eventType"
    }
  }

  func isSought(in row: SessionRow) -> Bool { !(word.map { row.known.localizedStandardContains($0) } ?? false) }

  // MARK: Of a search

  /// Those that are looked for.
  private static let most = 8
  private static let order = ["statusCode", "issue", "destination", "eventType"]

  /// Of a search, in the order in which they say most.
  static func all(_ query: SearchQuery) -> [SessionMoment] {
    let found = query.terms.filter { !$0.isNegated }.flatMap(of)
    return Array(order.flatMap { field in found.filter { $0.field == field } }.prefix(most))
  }

  private static func of(_ term: SearchTerm) -> [SessionMoment] {
    switch term.subject {
    case .word(let text):
      let code = Int64(text).flatMap { (100...599).contains($0) ? $0 : nil }
      return (code.map { [SessionMoment(kind: .status([.text("\($0)", isExact: true)]))] } ?? []) + [
        SessionMoment(kind: .issueSaying(text), word: text)
      ]
    case .phrase(let text): return [SessionMoment(kind: .issueSaying(text), word: text)]
    case .field(let field, let values):
      switch field.name {
      case "status": return [SessionMoment(kind: .status(values))]
      case "type": return [SessionMoment(kind: .type(values))]
      case "screen": return [SessionMoment(kind: .screen(values))]
      case "issue": return [SessionMoment(kind: .issueOf(values))]
      case "has": return values.compactMap { has(field, $0).map { SessionMoment(kind: $0) } }
      default: return []
      }
    }
  }

  private static func has(_ field: SearchField, _ value: SearchValue) -> Kind? {
    guard case .text(let text, _) = value, let name = field.choices.first(where: { $0.hasPrefix(text) }) else {
      return nil
    }
    return switch name {
    case "crash", "hang": .error(type: name)
    case "request": .request
    case "failed": .failedRequest
    case "issue": .issue
    case "error": .error(type: nil)
    default: nil
    }
  }
}
