/// ClickHouse, ready to be used: its shards are known, and have the tables.
package struct ClickHouseCluster: Sendable {
  /// Asks whichever host answers; through the Distributed tables each of them knows everything.
  package let client: ClickHouseClient
  package let map: ShardMap
  /// Of the tables.
  package let dialect: Dialect
  /// Of the oldest server that answered.
  package let version: ClickHouseVersion
  package let database: SQLName
  /// Who did not answer at the beginning. What is put on its shard waits; if it never had tables, ``prepare()`` makes them.
  package let silent: [ClickHouseAddress.Host]
  /// Said with each insert.
  let insertSettings: [(String, String)]
  private let cluster: SQLName?

  /// Asks all hosts who they are, and makes the tables that are missing. One of them may be away: a collector must be able to
  /// begin then, too.
  ///
  /// - Throws: ``ClickHouseError`` when they do not answer, or are no cluster that can be used.
  package static func open(_ address: ClickHouseAddress, limits: ClickHouseClient.Limits = .init()) async throws
    -> ClickHouseCluster
  {
    let client = ClickHouseClient(address, limits: limits)
    do {
      return try await ClickHouseCluster(client, address)
    } catch {
      try? await client.shutdown()
      throw error
    }
  }

  /// One whose servers need not answer now. Asks nobody.
  ///
  /// - Throws: ``ClickHouseError`` when what is remembered cannot be used.
  package init(
    _ address: ClickHouseAddress, remembering known: RememberedCluster, limits: ClickHouseClient.Limits = .init()
  ) throws {
    let settings: [(String, String)]
    (map, dialect, version, settings) = try known.read()
    insertSettings = settings
    client = Self.client(ClickHouseClient(address, limits: limits), of: version)
    (database, cluster, silent) = (address.database, address.cluster, address.hosts)
  }

  /// What a later start can begin with.
  package var remembered: RememberedCluster { RememberedCluster(map, dialect, version, insertSettings) }

  private static func client(_ client: ClickHouseClient, of version: ClickHouseVersion) -> ClickHouseClient {
    var client = client
    client.knowsParameters = version >= Dialect.oldestWithParameters
    client.knowsLimits = version >= Dialect.oldestCurrent
    return client
  }

  private init(_ client: ClickHouseClient, _ address: ClickHouseAddress) async throws {
    let hosts = try await ClusterHosts.ask(client)
    let wanted = try Dialect.of(hosts.version)
    let client = Self.client(client, of: hosts.version)
    map = try await hosts.shards(of: address.cluster, client)
    dialect = try await Self.migrate(client, hosts.answering, address.database, address.cluster, wanted)
    insertSettings = try await InsertSettings.known(to: hosts.answering, client)
    self.client = client
    version = hosts.version
    database = address.database
    cluster = address.cluster
    silent = hosts.silent
  }

  private static func migrate(
    _ client: ClickHouseClient, _ hosts: [ClickHouseAddress.Host], _ database: SQLName, _ cluster: SQLName?,
    _ wanted: Dialect
  ) async throws -> Dialect {
    let migrator = SchemaMigrator(database: database, cluster: cluster)
    var wanted = wanted
    // What one has decides for those that have nothing yet.
    for host in hosts { wanted = try await migrator.dialect(client.only([host])) ?? wanted }
    for host in hosts {
      guard try await migrator.migrate(client.only([host]), wanted) == wanted else {
        throw ClickHouseError(.setup, "the servers have tables of different forms: they cannot be read together")
      }
    }
    return wanted
  }

  /// Makes the tables that are missing, on all hosts that answer.
  ///
  /// - Throws: ``ClickHouseError`` when one does not answer, behind what was done for the others.
  package func prepare() async throws {
    var failure: (any Error)?
    for host in client.hosts {
      do {
        // What form the tables have is known: nobody else has to be asked for it.
        _ = try await Self.migrate(client, [host], database, cluster, dialect)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  package var tables: ReadableTables {
    ReadableTables(database: database, dialect: dialect, isShared: cluster != nil)
  }

  /// The table through which all rows are read.
  package func readable(_ table: TelemetryTable) -> SQL { tables(table) }

  package var readableSessions: SQL { tables.sessions }

  package func shutdown() async throws { try await client.shutdown() }

  /// The same for a thread that may wait.
  package func shutdownNow() throws { try client.shutdownNow() }
}
