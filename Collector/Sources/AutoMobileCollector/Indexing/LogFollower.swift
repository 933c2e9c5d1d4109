/// Follows the ingest log and puts what is in it where it is asked for: into SQLite, or into ClickHouse.
protocol LogFollower: Sendable {
  /// Why it does not advance at the moment; nil when it does.
  var problem: String? { get }

  /// What waits on its way into ClickHouse; nil where that is not where it goes.
  var cluster: ClickHouseBacklog? { get }

  /// Goes on with what is left, as far as that works within so many seconds, and ends.
  func stop(within seconds: Double)

  /// Has files of the log that are behind removed, also when nothing new comes.
  func tidy()
}

extension Indexer: LogFollower {
  var cluster: ClickHouseBacklog? { nil }
}
