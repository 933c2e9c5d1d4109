import Foundation

/// A PostgreSQL server of the test's own: a port and a folder that it picks, and nothing that another one has.
public final class PostgresServer: @unchecked Sendable {
  // Unchecked: what changes is changed by the test that has the server for itself, or before anybody has it; the shared one is not
  // changed.

  /// Made for a password in an address, and hard to put into one.
  public static let password = "s3cr3t/p@ss:w%rd?#"
  public private(set) var port = 0
  private let directory: URL
  private let hasCertificate: Bool
  private let settings: [String]
  private var guarded: Guarded?

  // MARK: Whether there is one

  /// Why no test can run against a server; nil: they can.
  public static let missing: String? = {
    let names = ["initdb", "postgres", "psql"].filter { Programs.find($0) == nil }
    return names.isEmpty
      ? nil : "PostgreSQL is not installed (\(names.joined(separator: ", "))): run Scripts/setup test"
  }()

  /// Where everything is tested, what is missing is a fault.
  public static var isRequired: Bool { ProcessInfo.processInfo.environment["CI"] != nil }

  /// For all tests that do not harm it. Ends with this process.
  public static var shared: PostgresServer { get throws { try made.get() } }
  private static let made = Result { try PostgresServer() }

  // MARK: Running

  /// Starts one.
  ///
  /// - Parameters:
  ///   - hasCertificate: it speaks TLS, with a certificate of its own making, see ``certificate``.
  ///   - settings: further ones, like `wal_writer_delay=10s`.
  public init(hasCertificate: Bool = false, settings: [String] = []) throws {
    (self.hasCertificate, self.settings) = (hasCertificate, settings)
    guard let initdb = Programs.find("initdb") else { throw Programs.Failed(description: Self.missing ?? "initdb") }
    directory = try Programs.makeDirectory("postgres")
    let password = directory.appending(path: "password")
    try Data(Self.password.utf8).write(to: password)
    // Whoever initdb runs as reads it.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: password.path)
    try Programs.run(
      Programs.asNobodySpecial + [
        initdb, "--no-sync", "--auth=scram-sha-256", "--username=automobile", "--pwfile=\(password.path)",
        "--encoding=UTF8",
        "--locale=C.UTF-8", "--pgdata=\(data.path)",
      ], in: directory)
    if hasCertificate {
      try Programs.run(
        Programs.asNobodySpecial + [
          "openssl", "req", "-new", "-x509", "-days", "2", "-nodes", "-subj", "/CN=localhost", "-addext",
          "subjectAltName=IP:127.0.0.1", "-keyout", data.appending(path: "server.key").path, "-out", certificate.path,
        ], in: directory)
      // Who does not run as root reads it as well.
      try Programs.run(["chmod", "600", data.appending(path: "server.key").path])
    }
    try start()
  }

  /// Starts a standby: it has what the other one has, a moment later, and is only read until ``promote()``.
  public init(standbyOf server: PostgresServer) throws {
    (hasCertificate, settings) = (false, [])
    guard let program = Programs.find("pg_basebackup") else { throw Programs.Failed(description: "pg_basebackup") }
    directory = try Programs.makeDirectory("postgres")
    try Programs.run(
      Programs.asNobodySpecial + [
        program, "--pgdata=\(data.path)", "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream",
        "--no-sync",
      ], environment: server.environment, in: directory)
    try start()
  }

  /// Has the standby take the other one's place; returns when it is written.
  public func promote() throws {
    guard try sql("SELECT pg_promote(true, 180)") == "t" else {
      throw Programs.Failed(description: "no promotion: \(log)")
    }
  }

  public var certificate: URL { data.appending(path: "server.crt") }
  /// Where it keeps everything.
  public var data: URL { directory.appending(path: "data") }

  /// Starts it, or starts it again on the same port; returns when it lets others in.
  public func start() throws {
    let known = port
    let deadline = Date(timeIntervalSinceNow: Programs.patience)
    while Date() < deadline {
      guarded?.end(keeps: true)
      // Somebody else may have taken the last one.
      if known == 0 { port = try Programs.freePort() }
      guarded = try process()
      while isRunning, Date() < deadline {
        // Nobody else's, who may have the port.
        if (try? sql("SHOW data_directory")) == data.path { return }
        Thread.sleep(forTimeInterval: 0.05)
      }
      // The memory of one that was killed is in use until its last process is gone.
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw Programs.Failed(description: "PostgreSQL does not start: \(log)")
  }

  /// Whether a process of it is there.
  public var isRunning: Bool { guarded?.isRunning ?? false }

  private func process() throws -> Guarded {
    guard let postgres = Programs.find("postgres") else { throw Programs.Failed(description: "postgres") }
    let all =
      [
        "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(directory.path)",
        "max_connections=800",
        // What the kernel has survives the server, and the machine is not in question here.
        "fsync=off", "shared_buffers=32MB", "deadlock_timeout=100ms", "log_statement=none",
        "ssl=\(hasCertificate ? "on" : "off")",
      ] + settings
    return try Guarded(
      Programs.asNobodySpecial + [postgres, "-D", data.path] + all.flatMap { ["-c", $0] },
      log: directory.appending(path: "log"), leavings: directory)
  }

  /// What it wrote, in its last part.
  public var log: String {
    String(((try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? "").suffix(4000))
  }

  /// Kills the server's first process with SIGKILL; the others find out and go.
  public func kill() throws {
    let file = try String(contentsOf: data.appending(path: "postmaster.pid"), encoding: .utf8)
    guard let process = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw Programs.Failed(description: "no process")
    }
    Foundation.kill(process, SIGKILL)
    guarded?.end(keeps: true)
  }

  /// Ends it, and removes what it kept.
  public func stop() {
    guarded?.end(keeps: false)
    guarded = nil
  }

  // MARK: Asking

  /// Statements as the one who may everything.
  @discardableResult
  public func sql(_ text: String, in database: String = "postgres") throws -> String {
    guard let psql = Programs.find("psql") else { throw Programs.Failed(description: "psql") }
    return try Programs.run(
      [psql, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", text],
      environment: environment
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// What PostgreSQL's own programs find it by.
  private var environment: [String: String] {
    [
      "PGHOST": "127.0.0.1", "PGPORT": "\(port)", "PGUSER": "automobile", "PGPASSWORD": Self.password,
      "PGCONNECT_TIMEOUT": "60",
    ]
  }

  /// A new database, empty or as another one is, which nobody is connected to.
  public func makeDatabase(from template: String = "template1") throws -> String {
    let name = "t\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try sql("CREATE DATABASE \(name) TEMPLATE \(template)")
    return name
  }

  public func drop(_ database: String) { _ = try? sql("DROP DATABASE IF EXISTS \(database) WITH (FORCE)") }

  /// The address of a database of several servers, by their ports, in the order in which they are tried.
  public static func url(of database: String, ports: [Int], parameters: String = "") -> String {
    let password = Self.password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let servers = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
    return "postgres://automobile:\(password)@\(servers)/\(database)\(parameters)"
  }

  /// Its address, or the one of a door to it on another port.
  public func url(of database: String, port: Int? = nil, parameters: String = "") -> String {
    Self.url(of: database, ports: [port ?? self.port], parameters: parameters)
  }
}
