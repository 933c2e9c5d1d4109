import CertificateTestFiles
import ClickHouseTestServer
import Foundation

/// What `openssl s_server` is: it shows a certificate, and is asked for nothing.
final class ShownCertificate: Sendable {
  let port: Int
  private let process: GuardedProcess

  init(_ name: String, of files: CertificateFiles) async throws {
    port = try await ClickHouseServer.freePorts(1)[0]
    // It ends with the input of the shell.
    let script = #"openssl s_server "$@" >/dev/null 2>&1 </dev/null & server=$!; read -r _; kill -9 $server"#
    process = try GuardedProcess(
      [
        "/bin/sh", "-c", script, "sh", "-accept", "127.0.0.1:\(port)", "-cert", files.path("\(name).pem"), "-key",
        files.path("\(name).key"), "-www",
      ], in: files.folder)
  }

  deinit { process.end() }
}
