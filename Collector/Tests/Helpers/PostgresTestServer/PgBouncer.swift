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
    port = try Programs.freePort()
    let directory = try Programs.makeDirectory("pgbouncer")
    let users = directory.appending(path: "users")
    try Data("\"automobile\" \"\(PostgresServer.password)\"\n".utf8).write(to: users)
    let file = directory.appending(path: "pgbouncer.ini")
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
    guarded = try Guarded(
      Programs.asNobodySpecial + [program, file.path], log: directory.appending(path: "log"), leavings: directory)
    try waitUntilItListens()
  }

  public func stop() { guarded.end(keeps: false) }

  private func waitUntilItListens() throws {
    for _ in 1...100 {
      let descriptor = socket(AF_INET, Programs.streamType, 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let isThere = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isThere { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw Programs.Failed(description: "pgbouncer does not start")
  }
}
