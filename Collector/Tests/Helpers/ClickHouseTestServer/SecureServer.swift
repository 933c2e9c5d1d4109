import AutoMobileClickHouse
import CertificateTestFiles
import Foundation

/// A ClickHouse that speaks HTTPS with a certificate of one's own, for `localhost`: by the authority `own`. Another one, `other`, has made
/// nothing that it uses.
package struct SecureServer: Sendable {
  package let files: CertificateFiles
  package let server: ClickHouseServer
  package let port: Int

  /// - Parameter clients: whoever connects needs a certificate by `own`: there is `collector`, and `stranger` by `other`.
  package init(clients: Bool = false) async throws {
    files = try CertificateFiles()
    for name in ["own", "other"] { try files.authority(name) }
    try files.certificate("server", by: "own", names: ["DNS:localhost"])
    if clients {
      try files.certificate("collector", by: "own", names: ["DNS:collector"])
      try files.certificate("stranger", by: "other", names: ["DNS:collector"])
    }
    let ports = try await ClickHouseServer.freePorts(3)
    server = try ClickHouseServer(http: ports[0], tcp: ports[1])
    port = ports[2]
    try server.configure(
      clusters: "",
      secure: .init(
        port: port, certificate: files.path("server.pem"), key: files.path("server.key"),
        clients: clients ? files.path("own.pem") : nil))
    try await server.start()
  }

  /// - Parameter options: as `ca=own.pem`, files of this one.
  package func client(_ options: String..., host: String = "localhost", port: Int? = nil) throws -> ClickHouseClient {
    let query = options.map { $0.replacing("=", with: "=\(files.folder.path)/") }.joined(separator: "&")
    var address = try ClickHouseAddress("clickhouse+https://\(host):\(port ?? self.port)/default?\(query)")
    (address.user, address.password) = (ClickHouseServer.user, ClickHouseServer.password)
    return ClickHouseClient(address)
  }

  package func with(_ client: ClickHouseClient, _ body: (ClickHouseClient) async throws -> Void) async throws {
    do {
      try await body(client)
    } catch {
      try await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }

  /// What a client ends with, which is shut down then; nil when it was answered.
  package func problem(_ client: ClickHouseClient) async throws -> ClickHouseError? {
    var problem: ClickHouseError?
    try await with(client) {
      do { _ = try await $0.version() } catch let error as ClickHouseError { problem = error }
    }
    return problem
  }
}
