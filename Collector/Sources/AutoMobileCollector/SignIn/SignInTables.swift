import AutoMobileState
import Foundation

/// The rows of who has signed in, and of links with which one may.
enum SignInTables {
  static let sql = """
    CREATE TABLE person_session(
      id INTEGER PRIMARY KEY,
      -- Of what the browser's cookie holds. Who reads this file cannot sign in with it.
      hash BLOB NOT NULL UNIQUE,
      issuer TEXT NOT NULL, subject TEXT NOT NULL, name TEXT NOT NULL,
      -- As it was granted at the sign-in.
      grants TEXT NOT NULL,
      createdAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
      address TEXT, browser TEXT);
    CREATE TABLE sign_in_link(
      hash BLOB PRIMARY KEY,
      name TEXT NOT NULL, grants TEXT NOT NULL,
      createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL, endsAt INTEGER NOT NULL) WITHOUT ROWID;
    """ + "\n" + AuditTables.sql

  static func sessions(in state: borrowing StateReading) throws -> [PersonSession] {
    try state.rows(
      """
      SELECT id, hash, issuer, subject, name, grants, createdAt, lastSeenAt, address, browser
      FROM person_session ORDER BY id
      """
    ).map { row in
      try PersonSession(
        id: row[0], hash: row[1],
        person: Person(issuer: row[2], subject: row[3], name: row[4], grants: [Grant](kept: row[5])),
        createdAt: row[6], lastSeenAt: row[7], address: row[8], browser: row[9])
    }
  }

  /// - Returns: its number.
  static func insert(_ session: PersonSession, in state: borrowing StateWriting) throws -> Int64 {
    try state.value(
      """
      INSERT INTO person_session(hash, issuer, subject, name, grants, createdAt, lastSeenAt, address, browser)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id
      """, session.hash, session.person.issuer, session.person.subject, session.person.name, session.person.grants.text,
      session.createdAt, session.lastSeenAt, session.address, session.browser) ?? 0
  }
}
