import CertificateTestFiles
import ClickHouseTestServer
import Foundation
import NIOCore
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileTLS

/// HTTPS with certificates of one's own.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"))
struct SecureServerTests {
  @Test func `With its authority's certificate a server is read and written, and without it nothing is asked`()
    async throws
  {
    let secure = try await SecureServer()
    try await secure.with(secure.client("ca=own.pem")) { client in
      try await client.change("CREATE TABLE secure (n UInt64) ENGINE = Memory")
      try await client.insert(ByteBuffer(integer: 7, endianness: .little, as: UInt64.self), "INSERT INTO secure")
      #expect(try await client.rows("SELECT n FROM secure") { try $0.int(UInt64.self) } == [7])
    }

    let unknown = try #require(try await secure.problem(secure.client()))
    #expect(unknown.kind == .untrusted && unknown.isTransient && unknown.host == "localhost:\(secure.port)")
    #expect(unknown.message.contains("no authority that this system trusts") && unknown.message.contains("ca=FILE"))
    let foreign = try #require(try await secure.problem(secure.client("ca=other.pem")))
    #expect(foreign.kind == .untrusted && foreign.message.contains(secure.files.path("other.pem")), "\(foreign)")
    let misnamed = try #require(try await secure.problem(secure.client("ca=own.pem", host: "127.0.0.1")))
    #expect(misnamed.message.contains("is for localhost, and not for 127.0.0.1"), "\(misnamed)")
    let plain = try #require(
      try await secure.problem(secure.client("ca=own.pem", port: secure.server.http.port)))
    #expect(plain.message.contains("port of plain HTTP"), "\(plain)")
    for problem in [unknown, foreign, misnamed, plain] {
      #expect(!"\(problem)".contains(ClickHouseServer.password))
    }
  }

  @Test func `A file of authorities that changes is followed while a client is in use`() async throws {
    let secure = try await SecureServer()
    let files = secure.files
    try files.replace("ca.pem", with: "other.pem")
    try await secure.with(secure.client("ca=ca.pem")) { client in
      await #expect(throws: ClickHouseError.self) { try await client.version() }
      try files.replace("ca.pem", with: "own.pem")
      _ = try await client.version()
      // What cannot be read takes nothing away.
      try Data("-----BEGIN CERTIFICATE-----\nhalf".utf8).write(to: files.folder.appending(path: "ca.pem"))
      _ = try await client.version()
      // Who is trusted no more is not asked any more, also over a connection that is there.
      try files.replace("ca.pem", with: "other.pem")
      let error = await #expect(throws: ClickHouseError.self) { try await client.version() }
      #expect(error?.kind == .untrusted)
      try Data().write(to: files.folder.appending(path: "ca.pem"))
      let told = await #expect(throws: ClickHouseError.self) { try await client.version() }
      #expect(
        told?.message.contains("ca.pem cannot be used: no certificate can be read") == true, "\(told?.message ?? "")")
    }
  }

  @Test func `A server that wants a certificate gets the one that the files have now`() async throws {
    let secure = try await SecureServer(clients: true)
    let files = secure.files
    let bare = try #require(try await secure.problem(secure.client("ca=own.pem")))
    #expect(bare.isTransient && bare.message.contains("tls-certificate"), "\(bare)")
    for kind in ["pem", "key"] { try files.replace("mine.\(kind)", with: "stranger.\(kind)") }
    let mine = try secure.client("ca=own.pem", "tls-certificate=mine.pem", "tls-key=mine.key")
    try await secure.with(mine) { client in
      let strange = await #expect(throws: ClickHouseError.self) { try await client.version() }
      #expect(
        strange?.isTransient == true && strange?.message.contains("mine.pem") == true, "\(strange?.message ?? "")")
      for kind in ["pem", "key"] { try files.replace("mine.\(kind)", with: "collector.\(kind)") }
      _ = try await client.version()
      // Half of a renewal: the pair before stays.
      try files.replace("mine.key", with: "stranger.key")
      _ = try await client.version()
    }
  }

  @Test func `A certificate that has ended is told from one of an unknown authority`() async throws {
    let files = try CertificateFiles()
    try files.authority("own")
    try files.certificate("old", by: "own", names: ["DNS:localhost", "IP:127.0.0.1"], days: -1)
    let shown = try await ShownCertificate("old", of: files)
    let client = ClickHouseClient(
      try ClickHouseAddress("clickhouse+https://127.0.0.1:\(shown.port)/a?ca=\(files.path("own.pem"))"))
    let deadline = ContinuousClock.now + .seconds(60)
    var problem: ClickHouseError?
    // Until openssl listens.
    while problem?.kind != .untrusted, .now < deadline {
      do { _ = try await client.version() } catch let error as ClickHouseError { problem = error }
      try await Task.sleep(for: .milliseconds(20))
    }
    try await client.shutdown()
    #expect(problem?.message.contains("its certificate ended at 20") == true, "\(problem?.message ?? "")")
    let early = PeerCertificates.inFile(files.path("own.pem"), now: Date(timeIntervalSinceNow: -86_400)).first?.state
    guard case .notYet = early else { return #expect(Bool(false), "\(String(describing: early))") }
  }
}
