import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@Suite(.enabled(if: PostgresFixture.isThere)) struct `TLS to PostgreSQL` {
  @Test func `is as the address says`() async throws {
    let server = try PostgresServer(hasCertificate: true)
    defer { server.stop() }
    let checked = "?sslmode=verify-full&sslrootcert="
    var options = PostgresOptions(
      url: server.url(of: "postgres", parameters: checked + server.certificate.path))
    options.patience = .seconds(60)
    let state = try PostgresState(options)
    defer { state.close() }
    let isEncrypted: Bool? = try await state.read {
      try $0.value("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    }
    #expect(isEncrypted == true)

    // Another certificate than the one that is trusted.
    let other = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).crt")
    defer { try? FileManager.default.removeItem(at: other) }
    try Data(Self.stranger.utf8).write(to: other)
    options.url = server.url(of: "postgres", parameters: checked + other.path)
    let error = await PostgresFixture.error { _ = try PostgresState(options) }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("certificate") == true && error?.description.contains("s3cr3t") == false)
  }

  /// A root that nobody here has the key of.
  private static let stranger = """
    -----BEGIN CERTIFICATE-----
    MIIBfDCCASOgAwIBAgIUKsHiFzhPiSZr7dv3UKUj80J3+AowCgYIKoZIzj0EAwIw
    EzERMA8GA1UEAwwIc3RyYW5nZXIwIBcNMjYxMTI2MjM1NjE3WhgPMjEyNjExMDIy
    MzU2MTdaMBMxETAPBgNVBAMMCHN0cmFuZ2VyMFkwEwYHKoZIzj0CAQYIKoZIzj0D
    AQcDQgAE2uCAuLpVlauMyGjnfPnAh0XEz5qjaYiXWCCQYngzMnGpj25BHiscg+yR
    L8YWlRnKCIV5A4jSdCm6517cXeZ4X6NTMFEwHQYDVR0OBBYEFLu/j5HLzMzII1BY
    OAtFRTYEFbEnMB8GA1UdIwQYMBaAFLu/j5HLzMzII1BYOAtFRTYEFbEnMA8GA1Ud
    EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgF07TyJ5Jk62z70PIJuVbOwDf
    GQ1NY/jIC0BzppZybasCIA626YGwR3LxuK0VXn9VW0PPv7HiPqeyzR1tloaxPcmY
    -----END CERTIFICATE-----
    """
}
