import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@testable import AutoMobilePostgres

@Suite struct `The library of PostgreSQL` {
  @Test func `is said to be missing, with what to install`() throws {
    let error = try #require(PostgresLibrary.problem(of: ["libpq.so.4711", "nowhere/libpq.so"]))
    #expect(error.kind == .unavailable)
    #expect(error.description.contains("libpq.so.4711"))
    #expect(error.description.contains("Install it"))
    #expect(PostgresLibrary.problem(of: [])?.description.contains("no name") == true)
  }

  #if os(Linux)
  @Test func `is said to lack what is needed`() throws {
    let error = try #require(PostgresLibrary.problem(of: ["nowhere/libpq.so", "libm.so.6"]))
    #expect(error.description.contains("libm.so.6 has no function PQlibVersion"))
  }
  #endif
}

@Suite(.enabled(if: PostgresFixture.isThere)) struct `The address of PostgreSQL` {
  @Test(
    arguments: [
      ("postgres://ada:pass123@db.example:5433/state", "postgres://db.example:5433/state"),
      ("postgresql://ada:pass123@one:1,two:2/state?sslmode=require", "postgres://one:1,two:2/state"),
      ("postgres://ada:pass123@[::1]/state", "postgres://[::1]:5432/state"),
      ("host=/var/run/postgresql dbname=state password=pass123", "postgres:///var/run/postgresql:5432/state"),
    ]) func `is told without what is secret`(_ url: String, _ place: String) throws
  {
    let address = try PostgresAddress(url)
    #expect(address.place == place)
    #expect(address.cleaned("a pass123\n\tb") == "a …; b")
  }

  @Test(
    arguments: [
      "postgres://ada:pass123@host:port/state", "postgres://ada:pass123@[::1/state",
      "postgres://ada:%zzpass123@host/state",
      "postgres://ada:pass123@host/state?nothing=pass123", "postgres://ada:pa\"ss123@host:x/state", "pass123",
      "postgres://ada:pass123@host/state?sslmode", "password='pass123 host=x", "a\0b",
      "postgres://ada:pa/ss123@host/state", "postgres://ada:12/pass123@host/state", "postgres://ada:p@ss123@host/state",
    ]) func `that cannot be read is not repeated`(_ url: String) async throws
  {
    let error = try #require(await PostgresFixture.error { _ = try PostgresAddress(url) })
    #expect(error.kind == .value)
    #expect(error.description.contains("the address of PostgreSQL"))
    #expect(!error.description.contains("ss123"))
  }

  @Test func `is not in what is said of who is not let in`() async throws {
    let server = try PostgresServer.shared
    let good = server.url(of: "postgres")
    let bad = [
      good.replacing("automobile:", with: "automobile:wr0ng"), good.replacing("automobile:", with: "nobody:"),
      server.url(of: "nowhere"), server.url(of: "postgres", port: 1),
      server.url(of: "postgres", parameters: "?sslmode=require"),
      server.url(of: "postgres", parameters: "?sslmode=verify-full&sslrootcert=/nowhere"),
    ]
    let password = PostgresServer.password
    for url in bad {
      var options = PostgresOptions(url: url)
      options.patience = .milliseconds(500)
      let error = try #require(await PostgresFixture.error { _ = try PostgresState(options) })
      #expect(error.kind == .unavailable)
      #expect(error.description.contains("PostgreSQL at postgres://127.0.0.1:"))
      for part in [password, String(password.dropFirst(3)), url, "wr0ng", "s3cr3t", "%"] {
        #expect(!error.description.contains(part), "\(part)")
      }
      #expect(!"\(options)".contains("s3cr3t"))
    }
  }

  @Test func `of what does not answer costs a bounded time`() async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    relay.silence()
    var options = PostgresOptions(
      url: try PostgresServer.shared.url(of: "postgres", port: relay.port, parameters: "?connect_timeout=2"))
    options.patience = .seconds(1)
    let error = await PostgresFixture.error { _ = try PostgresState(options) }
    #expect(error?.kind == .unavailable)
  }
}
