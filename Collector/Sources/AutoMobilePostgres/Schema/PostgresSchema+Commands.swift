extension PostgresSchema {
  /// Which apps ask for commands, and commands with their answers: between collectors, for seconds.
  static let commands = """
    CREATE TABLE command_listener(
      owner TEXT COLLATE "C" NOT NULL, launch TEXT COLLATE "C" NOT NULL,
      bundle TEXT COLLATE "C", names TEXT COLLATE "C" NOT NULL,
      question TEXT COLLATE "C", earlier TEXT COLLATE "C",
      seenAt BIGINT NOT NULL, endsAt BIGINT NOT NULL,
      PRIMARY KEY (owner, launch));
    CREATE TABLE command(
      id TEXT COLLATE "C" PRIMARY KEY,
      owner TEXT COLLATE "C" NOT NULL, launch TEXT COLLATE "C" NOT NULL,
      name TEXT COLLATE "C" NOT NULL, arguments TEXT COLLATE "C" NOT NULL, timeout BIGINT NOT NULL,
      at BIGINT NOT NULL, endsAt BIGINT NOT NULL, taken BIGINT NOT NULL DEFAULT 0, answer BYTEA);
    CREATE INDEX command_launch ON command(owner, launch);
    """
}
