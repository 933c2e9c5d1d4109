/// Telemetry in the index's database file.
struct SQLiteTelemetry: TelemetryStore {
  let store: EventStore

  var sessions: any SessionReading { SQLiteSessions(store: store) }
  var events: any EventReading { SQLiteEvents(store: store) }
  var arrivals: any ArrivalReading { SQLiteEvents(store: store) }
  var launches: any LaunchReading { SQLiteLaunches(store: store) }
  var outgoing: any OutgoingReading { SQLiteOutgoing(store: store) }
  var issues: any IssueReading & IssueDirectory { SQLiteIssues(store: store) }
  var requests: any RequestReading { SQLiteRequests(store: store) }
  var spans: any SpanReading { SQLiteSpans(store: store) }
  var health: any HealthReading { SQLiteHealth(store: store) }
  var values: any ValueReading { SQLiteValues(store: store) }
  var dryRuns: any DryRunReading { SQLiteDryRuns(store: store) }
  var replays: any ReplayReading { SQLiteReplays(store: store) }
  var alerts: any AlertReading { SQLiteAlerts(store: store) }
  var asks: any AskReading { SQLiteAsks(store: store) }
  var forwards: any ForwardReading { SQLiteForwards(store: store) }
}
