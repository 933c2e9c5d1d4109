import AutoMobileClickHouse
import Foundation
import NIOCore
import NIOPosix

/// A real ClickHouse server on ports of this machine that were free, with a data folder and a configuration of its own. It ends
/// with the test process, however that ends.
package final class ClickHouseServer: @unchecked Sendable {
  // Unchecked because `lock` guards the process; everything else is set once.

  package static let user = "automobile"
  /// What has a meaning in addresses, in XML and in SQL.
  package static let password = "p@ss/w:rd?&,%<'"

  /// Where the program is, when it is installed.
  package static let program: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/usr/bin", "/usr/local/bin"]).map { "\($0)/clickhouse-server" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// For the reason of a test that is skipped.
  package static let missing =
    "ClickHouse is not installed: run Scripts/setup test, which installs clickhouse-server"

  package let http: ClickHouseAddress.Host
  package let tcp: Int
  private let folder: URL
  private let lock = NSLock()
  private var process: GuardedProcess?

  package init(http: Int, tcp: Int) throws {
    self.http = ClickHouseAddress.Host("127.0.0.1", http)
    self.tcp = tcp
    folder = FileManager.default.temporaryDirectory.appending(path: "clickhouse-\(UUID().uuidString)")
    for name in ["data", "tmp", "files"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
  }

  deinit {
    process?.end()
    try? FileManager.default.removeItem(at: folder)
  }

  /// HTTPS beside HTTP.
  package struct Secure: Sendable {
    package var port: Int
    package var certificate: String
    package var key: String
    /// A file of the authorities of which those who connect must have a certificate; nil: they need none.
    package var clients: String?

    package init(port: Int, certificate: String, key: String, clients: String? = nil) {
      (self.port, self.certificate, self.key, self.clients) = (port, certificate, key, clients)
    }

    fileprivate var xml: String {
      let mode = clients.map { "<caConfig>\($0)</caConfig><verificationMode>strict</verificationMode>" }
      return """
        <https_port>\(port)</https_port>
        <openSSL><server><certificateFile>\(certificate)</certificateFile><privateKeyFile>\(key)</privateKeyFile>
        \(mode ?? "<verificationMode>none</verificationMode>")</server></openSSL>
        """
    }
  }

  /// - Parameters:
  ///   - clusters: the XML of `remote_servers`.
  ///   - profile: further XML of the profile that everybody has.
  package func configure(clusters: String, profile: String = "", secure: Secure? = nil) throws {
    let path = folder.path
    let configuration = """
      <yandex>
        <logger><level>warning</level><log>\(path)/log.txt</log><errorlog>\(path)/errors.txt</errorlog></logger>
        <http_port>\(http.port)</http_port><tcp_port>\(tcp)</tcp_port><listen_host>127.0.0.1</listen_host>
        <path>\(path)/data/</path><tmp_path>\(path)/tmp/</tmp_path><user_files_path>\(path)/files/</user_files_path>
        <users_config>\(path)/users.xml</users_config><timezone>UTC</timezone>
        <default_profile>default</default_profile><default_database>default</default_database>
        <mark_cache_size>67108864</mark_cache_size>\(secure?.xml ?? "")<remote_servers>\(clusters)</remote_servers>
      </yandex>
      """
    // What the kernel has survives a server that is killed: nothing is waited for that only an outage of the machine would take.
    let users = """
      <yandex>
        <profiles><default><max_memory_usage>2000000000</max_memory_usage><fsync_metadata>0</fsync_metadata>\(profile)</default></profiles>
        <users><\(Self.user)><password>\(Self.xml(Self.password))</password><networks><ip>127.0.0.1</ip></networks>
          <profile>default</profile><quota>default</quota></\(Self.user)></users>
        <quotas><default><interval><duration>3600</duration></interval></default></quotas>
      </yandex>
      """
    try Data(configuration.utf8).write(to: folder.appending(path: "config.xml"))
    try Data(users.utf8).write(to: folder.appending(path: "users.xml"))
  }

  static func xml(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }

  package func start() async throws {
    guard let program = Self.program else { throw Failed(description: Self.missing) }
    // A shell waits beside it for the end of its input. A test that has ended, however, says no word: then nobody needs the folder
    // any more. A signal to all that were started together, as of a terminal, does not end the shell before the server.
    let script = """
      trap : HUP INT TERM; folder=$1; shift
      "$@" >/dev/null 2>&1 </dev/null & server=$!
      read -r word; kill -9 $server; wait $server
      [ -n "$word" ] || rm -rf "$folder"
      """
    let words = ["/bin/sh", "-c", script, "sh", folder.path, program, "--config-file=\(folder.path)/config.xml"]
    let process = try GuardedProcess(words, in: folder)
    lock.withLock { self.process = process }
    let client = ClickHouseClient(try address())
    let deadline = ContinuousClock.now + .seconds(60)
    while (try? await client.version()) == nil {
      guard ContinuousClock.now < deadline else {
        try await client.shutdown()
        let log = try? String(contentsOf: folder.appending(path: "errors.txt"), encoding: .utf8)
        throw Failed(description: "ClickHouse does not answer; its log ends with \(log?.suffix(2000) ?? "nothing")")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    try await client.shutdown()
  }

  package struct Failed: Error, CustomStringConvertible {
    package var description: String
  }

  /// SIGKILL; returns when it is gone.
  package func kill() {
    let process = lock.withLock {
      defer { self.process = nil }
      return self.process
    }
    try? process?.write(Data("kill\n".utf8))
    process?.end()
  }

  /// Of this server alone.
  package func address(_ database: String = "default") throws -> ClickHouseAddress {
    var address = try ClickHouseAddress("clickhouse://\(http)/\(database)")
    address.user = Self.user
    address.password = Self.password
    return address
  }

  /// Ports that nobody has now, of those that the kernel gives to nobody: a server that comes a moment later, or once more, finds them
  /// free.
  package static func freePorts(_ count: Int) async throws -> [Int] {
    var channels: [any Channel] = []
    for _ in 0..<1000 where channels.count < count {
      let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      if let channel = try? await bootstrap.bind(host: "127.0.0.1", port: .random(in: 10_000..<30_000)).get() {
        channels.append(channel)
      }
    }
    let ports = channels.compactMap { $0.localAddress?.port }
    for channel in channels { try await channel.close() }
    guard ports.count == count else { throw Failed(description: "there are no \(count) free ports") }
    return ports
  }
}
