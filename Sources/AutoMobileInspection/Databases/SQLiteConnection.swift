import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(SQLite3)
import SQLite3
#else
import CAutoMobileSQLite
#endif

/// A connection to one database, for one statement at a time.
///
/// What it opens it opens through SQLite, and nothing here reads the file in any other way: a process that closes a file
/// loses its locks on it, also those that the app's own connection holds.
final class SQLiteConnection: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that a connection is used on one thread at a time: whoever uses it holds
  // `turn`. Other threads only interrupt it, under the lock of `interruption`, which also guards its end.

  /// How far a statement has to go, and whether it is told to end.
  private struct Interruption {
    var handle: OpaquePointer?
    var isWanted = false
    /// Counts statements, so that a deadline that comes late ends no other one.
    var statement: UInt64 = 0
    var deadline: Int64 = .max
  }

  let path: String
  private let handle: OpaquePointer
  private let turn = NSLock()
  private var isClosed = false
  private let interruption: Locked<Interruption>
  private let authorizer = SQLiteAuthorizer()
  private let clock: @Sendable () -> Int64
  private var busyMilliseconds = 0
  /// How many rows tables had, and in which state of the database.
  var counts: [String: (version: Int64, rows: Int)] = [:]

  /// - Parameter path: without symbolic links.
  init(
    path: String, isWritable: Bool = false, clock: @escaping @Sendable () -> Int64 = Clocks.continuousMilliseconds
  ) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags =
      (isWritable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_NOFOLLOW
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLite.ok, let opened else {
      let message = opened.map { SQLite.text(sqlite3_errmsg($0)) } ?? SQLite.text(sqlite3_errstr(code))
      sqlite3_close_v2(opened)
      throw DatabaseError(code: code, message: message, path: path)
    }
    self.path = path
    self.clock = clock
    handle = opened
    interruption = Locked(Interruption(handle: opened))
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, SQLite.maximumValue)
    sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 1)  // VACUUM needs one.
    sqlite3_limit(opened, SQLITE_LIMIT_WORKER_THREADS, 0)
    // What the database itself brings along is not trusted, and whoever looks on changes nothing.
    sqlite3_exec(opened, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", nil, nil, nil)
    if !isWritable { sqlite3_exec(opened, "PRAGMA query_only=ON", nil, nil, nil) }
    watch()
  }

  deinit { if !isClosed { sqlite3_close_v2(handle) } }

  /// Ends what is running, waits for that, which is a matter of moments, and closes the file.
  func close() {
    interrupt()
    turn.lock()
    defer { turn.unlock() }
    guard !isClosed else { return }
    isClosed = true
    interruption.withLock { $0.handle = nil }
    sqlite3_close_v2(handle)
  }

  /// SQLite asks these while it works. They do not keep the connection, which outlives their last call.
  private func watch() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      handle,
      { me, action, first, second, _, _ in
        guard let me else { return SQLITE_DENY }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(me).takeUnretainedValue()
        return connection.authorizer.decide(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, me)
    sqlite3_progress_handler(
      handle, 1000,
      { me in
        guard let me else { return 1 }
        return Unmanaged<SQLiteConnection>.fromOpaque(me).takeUnretainedValue().mustEnd ? 1 : 0
      }, me)
    sqlite3_busy_handler(
      handle,
      { me, count in
        guard let me else { return 0 }
        return Unmanaged<SQLiteConnection>.fromOpaque(me).takeUnretainedValue().waitForLock(count) ? 1 : 0
      }, me)
  }

  private var mustEnd: Bool {
    let (isWanted, deadline) = interruption.withLock { ($0.isWanted, $0.deadline) }
    return isWanted || clock() >= deadline
  }

  /// Like `sqlite3_busy_timeout`, which would not hear of an interruption.
  private func waitForLock(_ count: Int32) -> Bool {
    if count == 0 { busyMilliseconds = 0 }
    guard busyMilliseconds < SQLite.busyMilliseconds, !interruption.withLock({ $0.isWanted }) else { return false }
    let pause = count < 50 ? 5 : 20
    busyMilliseconds += pause
    usleep(UInt32(clamping: pause * 1000))
    return true
  }

  /// Uses the connection, once others have done so.
  ///
  /// - Parameter milliseconds: how long the statements within may take.
  func use<Result>(
    within milliseconds: Int, _ body: (SQLiteConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    turn.lock()
    defer { turn.unlock() }
    if isClosed { throw .suspended }
    limit(to: milliseconds)
    defer {
      interruption.withLock { state in
        state.statement &+= 1
        state.deadline = .max
      }
    }
    return try body(self)
  }

  /// From now on, what is done in this turn may take so long.
  func limit(to milliseconds: Int) {
    let deadline = clock().addingReportingOverflow(Int64(milliseconds)).partialValue
    let statement = interruption.withLock { state in
      state.statement &+= 1
      state.deadline = deadline
      return state.statement
    }
    // Some of what SQLite does, counting a large table for example, asks for no progress.
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      self?.interrupt(statement)
    }
  }

  /// Ends what is running, and everything that is begun later. Any thread; returns at once.
  func interrupt() {
    interruption.withLock { state in
      state.isWanted = true
      if let handle = state.handle { sqlite3_interrupt(handle) }
    }
  }

  private func interrupt(_ statement: UInt64) {
    interruption.withLock { state in
      guard state.statement == statement, let handle = state.handle else { return }
      sqlite3_interrupt(handle)
    }
  }

  /// Prepares a statement of ours, which is no statement of anybody else.
  func prepare(own sql: String) throws(DatabaseError) -> SQLiteStatement {
    try prepare(sql, .reading)
  }

  /// Prepares one statement of somebody's, and says whether it changes something.
  ///
  /// - Parameter isWriting: it may.
  func prepare(foreign sql: String, isWriting: Bool) throws(DatabaseError) -> (SQLiteStatement, isWrite: Bool) {
    let statement: SQLiteStatement
    do {
      statement = try prepare(sql, isWriting ? .writing : .reading)
    } catch {
      if let refusal = authorizer.refusal { throw DatabaseError(.refused, "Not allowed: \(refusal).") }
      // A pragma that sets something is not even prepared for reading.
      if !isWriting, authorizer.isWrite, error.kind == .refused { throw .isWrite }
      throw error
    }
    let isWrite = !statement.isExplanation && (authorizer.isWrite || !statement.isReadOnly)
    authorizer.stage = isWrite ? .running : .reading
    return (statement, isWrite)
  }

  private func prepare(_ sql: String, _ stage: SQLiteAuthorizer.Stage) throws(DatabaseError) -> SQLiteStatement {
    guard sql.utf8.count <= SQLite.maximumStatement else {
      throw DatabaseError(.refused, "The statement has more than \(SQLite.maximumStatement) bytes.")
    }
    guard !sql.utf8.contains(0) else {
      throw DatabaseError(.refused, "The statement contains a zero byte, at which SQLite would stop reading it.")
    }
    authorizer.begin(stage)
    var text = sql
    let (code, prepared, isAlone) = text.withUTF8 { bytes -> (Int32, OpaquePointer?, Bool) in
      var prepared: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      return bytes.withMemoryRebound(to: CChar.self) { characters in
        let code = sqlite3_prepare_v2(
          handle, characters.baseAddress, Int32(clamping: characters.count), &prepared, &tail)
        guard let start = characters.baseAddress, let tail else { return (code, prepared, true) }
        return (code, prepared, SQLScanner.isEmpty(bytes[(tail - start)...]))
      }
    }
    let statement = prepared.map { SQLiteStatement($0, self) }
    if let refusal = authorizer.refusal { throw DatabaseError(.refused, "Not allowed: \(refusal).") }
    guard code == SQLite.ok else { throw error(code) }
    guard isAlone else {
      throw DatabaseError(.refused, "Not allowed: more than one statement. Send them one after the other.")
    }
    guard let statement else { throw DatabaseError(.sql, "The statement is empty.") }
    return statement
  }

  /// Rows that the last statement inserted, changed or deleted. What a statement does for itself, in tables of SQLite's own for
  /// example, is not counted.
  var changes: Int { authorizer.changesRows ? Int(sqlite3_changes(handle)) : 0 }

  /// What a result code means here and now.
  func error(_ code: Int32) -> DatabaseError {
    if let refusal = authorizer.refusal { return DatabaseError(.refused, "Not allowed: \(refusal).") }
    switch code & 0xFF {
    case SQLite.interrupted:
      return interruption.withLock { $0.isWanted }
        ? .suspended
        : DatabaseError(
          .tooSlow, "The statement took too long and was stopped; nothing was changed. Ask for less.")
    case SQLite.notAuthorized:
      return DatabaseError(.refused, "Not allowed: \(SQLite.text(sqlite3_errmsg(handle))).")
    case SQLite.busy where interruption.withLock { $0.isWanted }: return .suspended
    default: return DatabaseError(code: code, message: SQLite.text(sqlite3_errmsg(handle)), path: path)
    }
  }
}

extension DatabaseError {
  static let isWrite = DatabaseError(
    .isWrite, "The statement changes the database, and only reading was requested.")
  static let suspended = DatabaseError(
    .suspended,
    "The databases were closed: the app is in the background, where it must not hold locks. Bring it to the foreground."
  )
}
