import Foundation

/// Whose data is to be erased.
struct ErasureSubject: Sendable, Equatable, Codable {
  enum Kind: String, Sendable, CaseIterable, Codable {
    /// By the name that the app gave: every session in which it was signed in, whole.
    case user
    /// An installation, by the `anonymousId` that the SDK made.
    case device
    case session
  }

  var kind: Kind
  var id: String
  /// Only what belongs to this project, by its bundle id; nil: whatever app it is of.
  var project: String?

  /// Of a name, in bytes: no session, user or installation has a longer one.
  static let longest = EventFields.maximumName
  /// Of a reason, in characters.
  static let longestReason = 500

  /// - Throws: ``APIError`` that names the member.
  init(_ members: (Kind) -> String?, project: String?) throws {
    let named = Kind.allCases.compactMap { kind in members(kind).map { (kind, $0) } }
    guard named.count == 1, let (kind, id) = named.first else {
      throw APIError.badRequest("invalid_subject", "name one of user, device and session")
    }
    guard (1...Self.longest).contains(id.utf8.count) else {
      throw APIError.badRequest("invalid_\(kind.rawValue)", "\(kind.rawValue) must have 1 to \(Self.longest) bytes")
    }
    (self.kind, self.id, self.project) = (kind, id, project)
  }

  init(_ kind: Kind, _ id: String, project: String? = nil) { (self.kind, self.id, self.project) = (kind, id, project) }

  /// What stands in the receipt is not who was erased.
  ///
  /// - Throws: ``APIError``.
  func checked(reason: String) throws -> String {
    let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    guard reason.count <= Self.longestReason, !reason.hasControlCharacters else {
      throw APIError.badRequest(
        "invalid_reason", "reason must have at most \(Self.longestReason) characters, on one line")
    }
    guard !reason.contains(id) else {
      throw APIError.badRequest(
        "invalid_reason", "the reason stays in the receipt: leave out the \(kind.rawValue)'s name")
    }
    return reason
  }
}
