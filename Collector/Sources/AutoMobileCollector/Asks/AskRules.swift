import Foundation

/// What may be asked for. All texts come from outside.
enum AskRules {
  /// Of a session's, user's, device's or version's name, in bytes: an SDK takes no longer one.
  static let longestSubject = 500
  /// Of a reason, in characters.
  static let longestReason = 300
  /// For so long an ask stands, in milliseconds: an app that is not opened until then does not hear of it.
  static let lifetime: Int64 = 14 * 86_400_000
  /// What is gone is remembered for so long, and so many rows of an app or project: what one withdraws pushes out nothing
  /// of another one's list.
  static let remembered: Int64 = 90 * 86_400_000
  static let mostRemembered: Int64 = 10_000
  /// Asks that stand, of an app or project and in all.
  static let mostOfApp = 100
  static let most = 1000
  /// Of those that concern an app, the newest are told: an SDK counts no more.
  static let mostTold = 32

  /// What somebody sent.
  struct Wish: Sendable {
    var bundle: String
    var kind: Ask.Kind
    var subject: String
    var from: Int64?
    var to: Int64?
    var reason: String
  }

  /// - Throws: ``APIError`` that names the member.
  static func wish(_ body: JSONTree) throws -> Wish {
    guard case .object(let members) = body else { throw invalid("ask", "the body must be an object") }
    let named = Ask.Kind.allCases.filter { members[$0.rawValue].map { !$0.isNull } ?? false }
    guard named.count == 1, let kind = named.first else {
      throw invalid("subject", "name one of session, user, device and appVersion")
    }
    guard let subject = members[kind.rawValue]?.string, (1...longestSubject).contains(subject.utf8.count),
      !subject.hasControlCharacters
    else {
      throw invalid("subject", "\(kind.rawValue) must have 1 to \(longestSubject) bytes, and no control characters")
    }
    let from = try time(members["from"], "from")
    let to = try time(members["to"], "to")
    if let from, let to, from > to { throw invalid("range", "from is later than to") }
    let bundle = members["bundleId"]?.string ?? ""
    // A session says itself which app it is of.
    if kind != .session || !bundle.isEmpty { try ConfigurationRules.checkBundle(bundle) }
    guard bundle != ConfigurationStore.everyApp else { throw invalid("bundle", "name one app: bundleId") }
    return Wish(
      bundle: bundle, kind: kind, subject: subject, from: from, to: to,
      reason: try reason(members["reason"]?.string ?? ""))
  }

  private static func reason(_ text: String) throws -> String {
    let reason = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...longestReason).contains(reason.count), reason.utf8.count <= 4 * longestReason,
      !reason.hasControlCharacters
    else {
      throw invalid("reason", "say why, in 1 to \(longestReason) characters on one line: reason")
    }
    return reason
  }

  private static func time(_ value: JSONTree?, _ name: String) throws -> Int64? {
    guard let value, !value.isNull else { return nil }
    // Until the year 9999.
    guard let time = value.integer, (0...253_402_300_799_999).contains(time) else {
      throw invalid("range", "\(name) must be a time in milliseconds since 1970")
    }
    return time
  }

  private static func invalid(_ what: String, _ message: String) -> APIError {
    APIError.badRequest("invalid_\(what)", message)
  }
}
