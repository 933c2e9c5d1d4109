import AutoMobileState

/// What is made once, and kept for all collectors: secrets, and names of their own.
enum StateSecret {
  /// The text that is kept under a name of `setting`; the first time a new one.
  ///
  /// Of several who start at once all get the same.
  static func text(
    _ name: String, in store: any StateStore, at now: Int64 = 0, by author: String = "automobile", make: () -> String
  ) throws -> String {
    let new = make()
    return try store.writeNow { state in
      let select: StateSQL = "SELECT value FROM setting WHERE name = ?1"
      if let known: String = try state.value(select, name) { return known }
      try state.execute(
        """
        INSERT INTO setting(name, value, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) DO NOTHING
        """, name, new, now, author)
      return try state.value(select, name) ?? new
    }
  }
}
