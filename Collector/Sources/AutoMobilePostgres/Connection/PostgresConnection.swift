import AutoMobileState
import CPostgres
import Foundation

/// One connection. Whatever it waits for, it waits for a bounded time.
///
/// Unchecked: it belongs to one thread at a time, who has it from the pool or made it; the pool's lock is between two of them.
final class PostgresConnection: @unchecked Sendable {
  typealias Instant = ContinuousClock.Instant

  private let raw: OpaquePointer
  private let address: PostgresAddress
  /// It is of no use any more, and only to be closed.
  private(set) var isLost = false
  private var isClosed = false
  private let number = Int64.random(in: 1...Int64.max)
  private var transactions: Int64 = 0

  /// - Parameter settings: further statements that it begins with.
  /// - Throws: ``PostgresFailure``; a final one when it would fail again.
  init(_ address: PostgresAddress, _ options: PostgresOptions, settings: String = "") throws {
    self.address = address
    // What stands before the address is overruled by it, and what stands behind it overrules it.
    let parameters: [(String, String)] =
      [
        ("connect_timeout", "5"), ("fallback_application_name", "automobile"),
        // What is gone without a word is found out about, in seconds and in milliseconds.
        ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "15000"),
        // Of several servers the one that is written.
        ("target_session_attrs", "read-write"),
        ("dbname", address.url), ("client_encoding", "UTF8"),
      ] + (address.password.map { [("password", $0)] } ?? [])
    var keywords: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0.0)) }
    var values: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0.1)) }
    defer { for text in keywords + values { free(UnsafeMutableRawPointer(mutating: text)) } }
    keywords.append(nil)
    values.append(nil)
    guard let raw = pq_connectdbParams(keywords, values, 1) else {
      throw PostgresFailure.lost(address, "memory is short")
    }
    self.raw = raw
    do {
      try begin(options, settings)
    } catch {
      close()
      throw error
    }
  }

  private func begin(_ options: PostgresOptions, _ settings: String) throws {
    guard pq_status(raw) == Int32(PQ_CONNECTION_OK) else {
      let message = String(cString: pq_errorMessage(raw))
      if message.contains("session is read-only") { throw PostgresFailure.onlyRead(address, message) }
      throw PostgresFailure.lost(address, message, Self.isFinal(message) ? .final : .lost)
    }
    guard pq_serverVersion(raw) >= 130_000 else {
      throw PostgresFailure(
        course: .final,
        error: StateError(.engine, "PostgreSQL at \(address.place) is older than 13: use a current one"))
    }
    pq_silence(raw)
    guard pq_setnonblocking(raw, 1) == 0 else { throw lost("it cannot be waited for") }
    let limit = options.statementLimit.milliseconds
    // The rest is said for roles and databases that have it otherwise. What is kept is on the disk before that is said.
    let answers = try query(
      """
      SELECT pg_is_in_recovery();
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') <> 'remote_apply';
      SET statement_timeout = \(limit); SET lock_timeout = \(min(limit, 5_000));
      SET idle_in_transaction_session_timeout = 60000; SET bytea_output = 'hex'; SET extra_float_digits = 1;
      SET standard_conforming_strings = on;
      SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3; \(settings)
      """, for: .seconds(10))
    // What a standby answers may be old, and would be so for as long as the connection is there.
    guard try answers.first?.rows.first?[0] == false else { throw PostgresFailure.onlyRead(address, "it is a standby") }
  }

  /// What the server or libpq says of what a further attempt does not change; in English only, in other languages it is tried
  /// again for a while.
  private static func isFinal(_ message: String) -> Bool {
    [
      "authentication failed", "no pg_hba.conf entry", "no password supplied", "does not exist",
      "certificate verify failed",
      "server does not support SSL", "invalid connection option", "root certificate file",
    ].contains { message.contains($0) }
  }

  /// For the next transaction that writes.
  func nextToken() -> PostgresToken {
    transactions += 1
    return PostgresToken(connection: number, number: transactions)
  }

  // MARK: Asking

  /// Statements without values, separated by semicolons.
  ///
  /// - Returns: the answer to each.
  /// - Throws: ``PostgresFailure``
  @discardableResult
  func query(_ text: String, for time: Duration) throws -> [PostgresAnswer] {
    try ask(until: .now + time) { pq_sendQuery(raw, text) == 1 }
  }

  /// One statement, with `$1` for the first value.
  ///
  /// - Throws: ``PostgresFailure``
  @discardableResult
  func query(_ text: String, _ values: [StateValue], for time: Duration) throws -> PostgresAnswer {
    let answers = try ask(until: .now + time) { PostgresParameters(values).send(text, on: raw) }
    guard let answer = answers.last else { throw lost("it answered with nothing") }
    return answer
  }

  private func ask(until deadline: Instant, _ send: () -> Bool) throws -> [PostgresAnswer] {
    guard !isLost else { throw lost("the connection is gone") }
    guard send() else { throw lost(String(cString: pq_errorMessage(raw))) }
    var answers: [PostgresAnswer] = []
    var failure: PostgresFailure?
    while let result = try nextResult(until: deadline) {
      defer { pq_clear(result) }
      switch pq_resultStatus(result) {
      case Int32(PQ_COMMAND_OK), Int32(PQ_TUPLES_OK), Int32(PQ_EMPTY_QUERY):
        answers.append(PostgresAnswer(result))
      default:
        // Not the server's: libpq has lost it, or it is in a mode in which nobody here goes on.
        guard pq_resultErrorField(result, Int32(UInt8(ascii: "C"))) != nil else {
          throw lost(String(cString: pq_resultErrorMessage(result)))
        }
        if failure == nil { failure = PostgresFailure(result, address) }
      }
    }
    if pq_status(raw) != Int32(PQ_CONNECTION_OK) || failure?.course == .lost {
      throw lost(failure?.error.description ?? String(cString: pq_errorMessage(raw)), failure)
    }
    if let failure { throw failure }
    return answers
  }

  private func nextResult(until deadline: Instant) throws -> OpaquePointer? {
    while true {
      let flushed = pq_flush(raw)
      guard flushed >= 0 else { throw lost(String(cString: pq_errorMessage(raw))) }
      if flushed == 0, pq_isBusy(raw) == 0 { return pq_getResult(raw) }
      let left = deadline - .now
      guard left > .zero else { throw lost("a statement was not answered in time") }
      let events = Int16(POLLIN) | (flushed == 1 ? Int16(POLLOUT) : 0)
      _ = PostgresPoll.wait(for: [(pq_socket(raw), events)], left)
      // Also reports what was closed, and has a look when nothing came.
      guard pq_consumeInput(raw) == 1 else { throw lost(String(cString: pq_errorMessage(raw))) }
    }
  }

  private func lost(_ reason: String, _ failure: PostgresFailure? = nil) -> PostgresFailure {
    isLost = true
    return failure ?? .lost(address, reason)
  }

  // MARK: Being there

  var socket: Int32 { pq_socket(raw) }

  /// No transaction is open on it.
  var isIdle: Bool { !isLost && pq_transactionStatus(raw) == Int32(PQ_TRANSACTION_IDLE) }

  /// Takes in what came by itself; finds out when it was closed.
  func look() {
    if !isLost, pq_consumeInput(raw) != 1 || pq_status(raw) != Int32(PQ_CONNECTION_OK) { isLost = true }
  }

  /// What was told meanwhile.
  func notifications() -> [String] {
    var payloads: [String] = []
    while let notification = pq_notifies(raw) {
      payloads.append(String(cString: notification.pointee.payload))
      pq_freemem(notification)
    }
    return payloads
  }

  func close() {
    isLost = true
    guard !isClosed else { return }
    isClosed = true
    pq_finish(raw)
  }

  deinit { close() }
}

extension Duration {
  /// Rounded up, so that what waits for the rest of a time does not turn in circles.
  var milliseconds: Int64 {
    components.seconds * 1000 + (components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}

/// Waiting for the kernel.
enum PostgresPoll {
  /// - Returns: by socket whether something came.
  static func wait(for sockets: [(socket: Int32, events: Int16)], _ time: Duration) -> [Bool] {
    var polled = sockets.map { pollfd(fd: $0.socket, events: $0.events, revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), Int32(clamping: max(0, time.milliseconds)))
    // Interrupted is as if nothing came: who waits looks at the clock, and waits again.
    return polled.map { count > 0 && $0.revents != 0 }
  }
}
