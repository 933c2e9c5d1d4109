/// Which apps ask for commands, and commands with their answers. Empty where the state is not shared: there they are in memory.
enum CommandTables {
  static let sql = """
    CREATE TABLE command_listener(
      owner TEXT NOT NULL, launch TEXT NOT NULL,
      -- What it says that it is and knows; the latter with commas.
      bundle TEXT, names TEXT NOT NULL,
      -- The question that is held for it at some collector, by a name that no other has; and the one that this took the place of.
      question TEXT, earlier TEXT,
      -- Milliseconds since 1970. It listens until the second, and has left then, when it has not asked again.
      seenAt INTEGER NOT NULL, endsAt INTEGER NOT NULL,
      PRIMARY KEY (owner, launch));
    CREATE TABLE command(
      id TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL, launch TEXT NOT NULL,
      -- JSON, and milliseconds.
      name TEXT NOT NULL, arguments TEXT NOT NULL, timeout INTEGER NOT NULL,
      -- Nobody waits for it any more after the second.
      at INTEGER NOT NULL, endsAt INTEGER NOT NULL,
      -- Whether the app has it, and what it said.
      taken INTEGER NOT NULL DEFAULT 0, answer BLOB);
    CREATE INDEX command_launch ON command(owner, launch);
    """
}
