/// What the index knows of blobs.
enum BlobTables {
  /// A pack had a number, which was its file's name: `17.pack`. Several collectors with one store cannot count together, so it
  /// has a name of its own beside the number that segments refer to it by.
  static let sql = """
    CREATE TABLE replay_pack_named(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      -- Bytes that belong to a segment; without any the blob goes.
      live INTEGER NOT NULL,
      -- Of the whole; nil while it is being written, and when it has not been asked for yet.
      bytes INTEGER);
    INSERT INTO replay_pack_named(id, name, live) SELECT id, id || '.pack', live FROM replay_pack;
    DROP TABLE replay_pack;
    ALTER TABLE replay_pack_named RENAME TO replay_pack;

    -- Builds whose symbols are kept: `entry` is JSON (SymbolStore.Entry).
    CREATE TABLE symbol_build(id TEXT PRIMARY KEY, blob TEXT NOT NULL, entry TEXT NOT NULL) WITHOUT ROWID;
    -- Builds whose sources are kept; those that came together share a blob.
    CREATE TABLE source_build(id TEXT PRIMARY KEY, blob TEXT NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;

    -- Blobs that nothing points to any more, until the store has removed them.
    CREATE TABLE blob_removal(key TEXT PRIMARY KEY) WITHOUT ROWID;
    -- The store that all of them are in; nothing: the data directory.
    CREATE TABLE blob_place(id INTEGER PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL);
    """

  /// Whose data directory it is, in a state that collectors share; nothing: it is none, or not known.
  static let directory = """
    ALTER TABLE blob_place ADD COLUMN directory TEXT;

    """
}
