import AutoMobileState

/// What goes with something that is erased.
extension AlertOutbox {
  /// What was told of something, or waits to be told.
  static func subjects(in state: borrowing StateReading) throws -> [String] {
    try state.rows("SELECT subject FROM alert_log UNION SELECT subject FROM alert_state WHERE waiting IS NOT NULL")
      .map { try $0[0] }
  }

  /// Takes away what was told of a subject, and what waits to be told of it. Done again it finds nothing.
  ///
  /// - Returns: rows that went.
  static func erase(
    _ subject: String, in state: borrowing StateWriting
  ) throws -> (messages: Int64, entries: Int64) {
    let messages = try state.execute(
      "DELETE FROM alert_message WHERE log IN (SELECT id FROM alert_log WHERE subject = ?1)", subject)
    let entries = try state.execute("DELETE FROM alert_log WHERE subject = ?1", subject)
    try state.execute(
      "UPDATE alert_state SET waiting = NULL, held = 0 WHERE waiting IS NOT NULL AND subject = ?1", subject)
    return (Int64(messages), Int64(entries))
  }
}
