import AutoMobileState

/// The rows of `setting`: what operators have set, by name.
enum StateSetting {
  static func row(_ name: String, in state: borrowing StateReading) throws -> StateRow? {
    try state.row("SELECT value, changedAt, changedBy FROM setting WHERE name = ?1", name)
  }

  static func write(
    _ name: String, _ value: String, by author: String, at now: Int64, in state: borrowing StateWriting
  ) throws {
    try state.execute(
      """
      INSERT INTO setting(name, value, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (name) DO UPDATE SET value = ?2, changedAt = ?3, changedBy = ?4
      """, name, value, now, author)
  }
}
