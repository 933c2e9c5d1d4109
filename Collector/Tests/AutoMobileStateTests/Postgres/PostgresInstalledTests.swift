import PostgresTestServer
import Testing

/// Says why what needs a server is left out; where everything is tested that is a fault.
@Suite struct `What the tests of PostgreSQL need` {
  @Test(.enabled(if: isLooked(at: PostgresServer.missing), comment(PostgresServer.missing))) func `is PostgreSQL`() {
    #expect(PostgresServer.missing == nil)
  }

  @Test(.enabled(if: isLooked(at: PgBouncer.missing), comment(PgBouncer.missing))) func `is pgbouncer`() {
    #expect(PgBouncer.missing == nil)
  }

  private static func isLooked(at missing: String?) -> Bool { missing == nil || PostgresServer.isRequired }
  private static func comment(_ missing: String?) -> Comment { Comment(rawValue: missing ?? "it is installed") }
}
