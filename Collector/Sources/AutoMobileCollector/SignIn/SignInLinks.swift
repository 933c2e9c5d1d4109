import AutoMobileState
import Foundation

/// Links with which somebody signs in once: the first one is printed where the collector is started, further ones are
/// made by who may decide.
struct SignInLinks: Sendable {
  let state: any StateStore

  /// In minutes: when nobody says, and at most.
  static let minutes: Int64 = 15
  static let mostMinutes: Int64 = 7 * 1440
  /// That nobody has used yet.
  static let mostOpen = 200

  /// The page that a link leads to.
  static let path = "/sign-in"

  /// Makes a link for somebody.
  ///
  /// - Throws: ``APIError`` when there are too many.
  func make(_ person: Person, minutes: Int64, by author: String, at now: Int64) async throws -> SignInSecret {
    let secret = SignInSecret()
    try await state.write { state in
      try state.execute("DELETE FROM sign_in_link WHERE endsAt <= ?1", now)
      let open: Int = try state.value("SELECT COUNT(*) FROM sign_in_link") ?? 0
      guard open < Self.mostOpen else {
        throw APIError(.conflict, "too_many", "\(open) links have not been used yet: wait until some have expired")
      }
      try state.execute(
        "INSERT INTO sign_in_link(hash, name, grants, createdAt, createdBy, endsAt) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        secret.hash, person.name, person.grants.text, now, author, now + minutes * 60_000)
    }
    return secret
  }

  /// Uses a link up.
  ///
  /// - Returns: whom it signs in; nil when it was used, has expired or never was.
  func take(_ secret: SignInSecret, at now: Int64) async throws -> Person? {
    // What is wrong is not worth a turn at the one connection that writes.
    let known = try await state.read { try $0.row("SELECT endsAt FROM sign_in_link WHERE hash = ?1", secret.hash) }
    guard known != nil else { return nil }
    return try await state.write { state in
      let row = try state.row("DELETE FROM sign_in_link WHERE hash = ?1 RETURNING name, grants, endsAt", secret.hash)
      guard let row, try now < row[2] else { return nil }
      return Person.byLink(try row[0], [Grant](kept: try row[1]))
    }
  }

  /// Where a browser goes with it.
  ///
  /// The secret stands behind `#`, which browsers send to nobody: it is in no proxy's log, in no `Referer`, and who
  /// fetches the link beforehand (a mail filter, a chat's preview, a browser) gets the page and uses nothing up.
  static func address(_ secret: SignInSecret) -> String { "\(path)#token=\(secret.text)" }
}

extension Person {
  /// Links have no other sign of somebody than the name that was given with them.
  static func byLink(_ name: String, _ grants: [Grant]) -> Person {
    Person(issuer: link, subject: name, name: name, grants: grants)
  }
}
