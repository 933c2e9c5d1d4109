extension PostgresSchema {
  /// In which order what collectors took in came into a store that they share.
  static let orderOfArrival = """
    CREATE TABLE arrival(
      place BIGINT PRIMARY KEY, writer BIGINT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL, at BIGINT NOT NULL);
    CREATE INDEX arrival_writer ON arrival(writer, last);
    CREATE INDEX arrival_last ON arrival(last);
    """

  /// What must not come back to any of them, by hashes.
  static let erasedNames = """
    CREATE TABLE erased_name(hash BYTEA PRIMARY KEY, secret BYTEA NOT NULL, at BIGINT NOT NULL, ends BIGINT NOT NULL);
    """
}
