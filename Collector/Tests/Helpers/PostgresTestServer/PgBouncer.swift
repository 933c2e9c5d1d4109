import Foundation

/// The pooler that many have in front of PostgreSQL.
public final class PgBouncer: @unchecked Sendable {
  // Unchecked: nothing changes but at its end.
  public enum Mode: String, Sendable { case session, transaction }

  /// Why no test can run with it; nil: they can.
  public static let missing: String? =
    PostgresServer.missing
    ?? (Programs.find("pgbouncer") == nil ? "pgbouncer is not installed: run Scripts/setup test" : nil)

  /// In session mode, before the shared server. Ends with this process.
  public static var shared: PgBouncer { get throws { try made.get() } }
  private static let made = Result { try PgBouncer(.session, before: .shared) }

  public let port: Int
  private let guarded: Guarded

  public init(_ mode: Mode, before server: PostgresServer) throws {
    guard let program = Programs.find("pgbouncer") else {
      throw Programs.Failed(description: Self.missing ?? "pgbouncer")
    }
    let directory = try Programs.makeDirectory("pgbouncer")
    let users = directory.appending(path: "users")
    try Data("\"automobile\" \"\(PostgresServer.password)\"\n".utf8).write(to: users)
    let file = directory.appending(path: "pgbouncer.ini")
    let log = directory.appending(path: "log")
    let deadline = Date(timeIntervalSinceNow: Programs.patience)
    // Again with another port, when somebody else was quicker.
    while Date() < deadline {
      let port = try Programs.freePort()
      try Data(
        """
        [databases]
        * = host=127.0.0.1 port=\(server.port)
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        unix_socket_dir =
        auth_type = scram-sha-256
        auth_file = \(users.path)
        pool_mode = \(mode.rawValue)
        max_client_conn = 800
        default_pool_size = 50
        """.utf8
      ).write(to: file)
      for url in [users, file] {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
      }
      let guarded = try Guarded(Programs.asNobodySpecial + [program, file.path], log: log, leavings: directory)
      while guarded.isRunning, Date() < deadline {
        if Self.text(of: log).contains("listening on 127.0.0.1:\(port)\n") {
          (self.port, self.guarded) = (port, guarded)
          return
        }
        Thread.sleep(forTimeInterval: 0.05)
      }
      guarded.end(keeps: true)
    }
    throw Programs.Failed(description: "pgbouncer does not start: \(Self.text(of: log))")
  }

  public func stop() { guarded.end(keeps: false) }

  private static func text(of log: URL) -> String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
}
