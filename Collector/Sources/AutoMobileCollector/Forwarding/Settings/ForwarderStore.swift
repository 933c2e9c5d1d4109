import AutoMobileState
import Foundation

/// Forwarders, as operators set them.
struct ForwarderStore: Sendable {
  let state: any StateStore
  /// The place of the newest event.
  let newest: @Sendable () async throws -> Int64

  static let none = APIError(.notFound, "no_forwarder", "there is no such forwarder")

  private static let select: StateSQL = "SELECT id, name, settings, changedAt, changedBy FROM forwarder"

  static func all(in state: borrowing StateReading) throws -> [Forwarder] {
    try state.rows("\(select) ORDER BY id").compactMap(forwarder)
  }

  static func forwarder(_ id: Int64, in state: borrowing StateReading) throws -> Forwarder? {
    try state.row("\(select) WHERE id = ?1", id).flatMap(forwarder)
  }

  /// Nil: a newer collector kept it.
  private static func forwarder(_ row: StateRow) throws -> Forwarder? {
    guard let settings = settings(try row[2]) else { return nil }
    return try Forwarder(id: row[0], name: row[1], settings: settings, changedAt: row[3], changedBy: row[4])
  }

  static func settings(_ text: String) -> Forwarder.Settings? {
    try? JSONDecoder().decode(Forwarder.Settings.self, from: Data(text.utf8))
  }

  /// Adds a forwarder, which sends what comes from now on; or changes one, which goes on where it was.
  ///
  /// - Throws: ``APIError``.
  func save(_ body: JSONTree, change id: Int64? = nil, by author: String, at now: Int64) async throws -> Int64 {
    // Before it is kept, since the events may lie elsewhere: what comes between the two is sent as well, and none is left out.
    let newest = id == nil ? try await newest() : 0
    return try await state.write { state in
      let before: Forwarder? = if let id { try Self.forwarder(id, in: state.reading) } else { nil }
      guard before != nil || id == nil else { throw Self.none }
      let (forwarder, fromBeginning) = try Forwarder.read(body, before: before)
      let other = try state.row("SELECT id FROM forwarder WHERE name = ?1 AND id <> ?2", forwarder.name, id ?? 0)
      guard other == nil else {
        throw APIError(.conflict, "name_taken", "another one is called “\(forwarder.name)”: give this one a name")
      }
      let settings = String(decoding: try JSONEncoder().encode(forwarder.settings), as: UTF8.self)
      let saved: Int64
      if let id {
        saved = id
        try state.execute(
          "UPDATE forwarder SET name = ?2, settings = ?3, changedAt = ?4, changedBy = ?5 WHERE id = ?1", id,
          forwarder.name, settings, now, author)
      } else {
        saved = try Self.add(
          forwarder, settings, from: fromBeginning ? nil : newest, by: author, at: now, in: state)
      }
      try state.tell(.forwarders, "\(saved)")
      return saved
    }
  }

  /// - Parameter cursor: where its lanes begin; nil: with what there is already, also in the indexes of other collectors.
  private static func add(
    _ forwarder: Forwarder, _ settings: String, from cursor: Int64?, by author: String, at now: Int64,
    in state: borrowing StateWriting
  ) throws -> Int64 {
    guard try state.value("SELECT COUNT(*) FROM forwarder") ?? 0 < Forwarder.most else {
      throw APIError(.conflict, "too_many", "there are \(Forwarder.most) forwarders, which is the limit")
    }
    let id: Int64 =
      try state.value(
        """
        INSERT INTO forwarder(name, settings, changedAt, changedBy, fromBeginning) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id
        """, forwarder.name, settings, now, author, cursor == nil) ?? 0
    for signal in ForwardSignal.allCases {
      try state.execute(
        "INSERT INTO forwarder_lane(forwarder, signal, cursor) VALUES (?1, ?2, ?3)", id, signal.rawValue, cursor ?? 0)
    }
    return id
  }

  func remove(_ id: Int64) async throws {
    try await state.write { state in
      guard try state.execute("DELETE FROM forwarder WHERE id = ?1", id) > 0 else { throw Self.none }
      try state.execute("DELETE FROM forwarder_lane WHERE forwarder = ?1", id)
      try state.tell(.forwarders, "\(id)")
    }
  }
}
