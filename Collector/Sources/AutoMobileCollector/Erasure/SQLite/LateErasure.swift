import Foundation
import GRDB

/// What is still to be cleaned in a state elsewhere for an erasure that is written down; see ``Erasures/begin(_:reason:by:)``.
///
/// It has the subject's name, which the erasure itself has not. It goes before the index's file is written anew, which leaves nothing of it.
struct LateErasure: Codable {
  let state: StateErasure
  let at: Int64
  let author: String

  init(_ state: StateErasure, at: Int64, by author: String) { (self.state, self.at, self.author) = (state, at, author) }

  func insert(_ erasure: Int64, in database: Database) throws {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try database.execute(
      sql: "INSERT INTO erasure_late(erasure, subject) VALUES (?, ?)", arguments: [erasure, text])
  }

  static func of(_ erasure: Int64, in database: Database) throws -> LateErasure? {
    let text = try String.fetchOne(
      database, sql: "SELECT subject FROM erasure_late WHERE erasure = ?", arguments: [erasure])
    return try text.map { try JSONDecoder().decode(LateErasure.self, from: Data($0.utf8)) }
  }

  static func forget(_ erasure: Int64, in database: Database) throws {
    try database.execute(sql: "DELETE FROM erasure_late WHERE erasure = ?", arguments: [erasure])
  }
}
