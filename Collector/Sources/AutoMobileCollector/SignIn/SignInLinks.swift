import Foundation
import GRDB

/// Links with which somebody signs in once: the first one is printed where the collector is started, further ones are
/// made by who may decide.
struct SignInLinks: Sendable {
  let pool: DatabasePool

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
    try await pool.write { database in
      try database.execute(sql: "DELETE FROM sign_in_link WHERE endsAt <= ?", arguments: [now])
      let open = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sign_in_link") ?? 0
      guard open < Self.mostOpen else {
        throw APIError(.conflict, "too_many", "\(open) links have not been used yet: wait until some have expired")
      }
      try database.execute(
        sql: "INSERT INTO sign_in_link(hash, name, grants, createdAt, createdBy, endsAt) VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [secret.hash, person.name, person.grants.text, now, author, now + minutes * 60_000])
    }
    return secret
  }

  /// Uses a link up.
  ///
  /// - Returns: whom it signs in; nil when it was used, has expired or never was.
  func take(_ secret: SignInSecret, at now: Int64) async throws -> Person? {
    // What is wrong is not worth a turn at the one connection that writes.
    let isKnown = try await pool.read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM sign_in_link WHERE hash = ?)", arguments: [secret.hash])
    }
    guard isKnown == true else { return nil }
    return try await pool.write { database in
      let row = try Row.fetchOne(
        database, sql: "DELETE FROM sign_in_link WHERE hash = ? RETURNING name, grants, endsAt",
        arguments: [secret.hash])
      guard let row, now < row[2] else { return nil }
      return Person.byLink(row[0], [Grant](kept: row[1]))
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
