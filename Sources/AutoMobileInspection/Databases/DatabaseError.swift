/// Why a database cannot be looked into: what is wrong, and what to do.
struct DatabaseError: Error, CustomStringConvertible, Equatable {
  enum Kind: String, Sendable {
    case missing, notAFile, notReadable, notADatabase, locked, damaged, refused, isWrite, tooSlow, suspended, sql
  }

  let kind: Kind
  let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// What SQLite says, in words that help.
  ///
  /// - Parameters:
  ///   - code: its result code.
  ///   - message: its own words.
  init(code: Int32, message: String, path: String) {
    switch code & 0xFF {
    case SQLite.busy, SQLite.locked:
      self.init(
        .locked,
        "\(path) is locked: another connection has held it for longer than \(SQLite.busyMilliseconds / 1000) s. "
          + "End the transaction that is open in the app, and try again.")
    case SQLite.notADatabase:
      self.init(
        .notADatabase,
        "\(path) is encrypted, or not an SQLite database. An encrypted one (SQLCipher, for example) can be read by the "
          + "app only: make an unencrypted copy in a debug build.")
    case SQLite.corrupt:
      self.init(
        .damaged,
        "\(path) is damaged (\(message)). PRAGMA integrity_check says where; the command line tool sqlite3 can .recover what "
          + "can be read.")
    case SQLite.cannotOpen, SQLite.permission:
      self.init(
        .notReadable,
        "\(path) cannot be opened (\(message)). Files that are protected cannot be read while the device is locked.")
    case SQLite.ioError: self.init(.damaged, "\(path) cannot be read completely (\(message)). It may be truncated.")
    case SQLite.readOnly: self.init(.notReadable, "\(path) may not be written (\(message)).")
    case SQLite.full:
      self.init(.sql, "The disk is full, and nothing was changed (\(message)). Make room, and try again.")
    case SQLite.tooBig:
      self.init(
        .sql,
        "A value has more than \(SQLite.maximumValue >> 20) MiB. Leave its column out, or ask for a part of it with "
          + "substr().")
    case SQLite.memory: self.init(.sql, "There is not enough memory for this statement. Ask for less.")
    default: self.init(.sql, message)
    }
  }
}
