import AutoMobileClickHouse
import AutoMobileState

/// Makes the tables where telemetry and state are, and brings them up to date: what a collector does at its start, before it is started.
package struct StoreMigration: Sendable {
  /// Of ClickHouse; nil: not asked for.
  package var version: String?
  package var shards = 0
  package var hasState = false

  /// Waits on the thread that it is called on. Done once more, it changes nothing.
  ///
  /// - Throws: ``CollectorError``, also when one of the servers does not answer.
  package static func run(_ place: TelemetryPlace, state: StatePlace, password: String? = nil) throws -> StoreMigration
  {
    var done = StoreMigration()
    if let address = try place.address(password: password) {
      do {
        let cluster = try waitFor { try await ClickHouseCluster.open(address) }
        defer { try? cluster.shutdownNow() }
        guard cluster.silent.isEmpty else {
          let hosts = cluster.silent.map(\.description).joined(separator: ", ")
          throw CollectorError.telemetryUnusable(reason: "\(hosts) does not answer: the tables there are not made")
        }
        (done.version, done.shards) = ("\(cluster.version)", cluster.map.shards.count)
      } catch let error as ClickHouseError {
        throw CollectorError.telemetryUnusable(reason: error.description)
      }
    }
    if let state = try state.open(password: nil) {
      done.hasState = true
      try state.close()
    }
    return done
  }
}
