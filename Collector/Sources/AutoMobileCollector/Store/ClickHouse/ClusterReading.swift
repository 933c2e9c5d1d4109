/// Telemetry in ClickHouse, where a collector asks for it.
struct ClusterReading: TelemetryStore {
  let telemetry: ClickHouseTelemetry
  let order: ArrivalOrder
  /// For what is read together with the state, and for replays that are not told of yet.
  let store: EventStore

  private var known: ClickHouseIssues { ClickHouseIssues(telemetry: telemetry, state: store.beside) }

  var sessions: any SessionReading { ClickHouseSessions(telemetry: telemetry, state: store.beside) }
  var events: any EventReading { ClickHouseEvents(telemetry: telemetry) }
  var arrivals: any ArrivalReading { ClickHouseArrivals(telemetry: telemetry, order: order) }
  var launches: any LaunchReading { ClickHouseLaunches(telemetry: telemetry) }
  var outgoing: any OutgoingReading { ClickHouseOutgoing(telemetry: telemetry) }
  var issues: any IssueReading & IssueDirectory { known }
  var requests: any RequestReading { ClickHouseRequests(telemetry: telemetry) }
  var spans: any SpanReading { ClickHouseSpans(telemetry: telemetry) }
  var health: any HealthReading { ClickHouseHealth(telemetry: telemetry) }
  var values: any ValueReading { ClickHouseValues(telemetry: telemetry) }
  var dryRuns: any DryRunReading { ClickHouseDryRuns(telemetry: telemetry) }
  var replays: any ReplayReading { ClickHouseReplays(telemetry: telemetry, local: SQLiteReplays(store: store)) }
  var alerts: any AlertReading { ClickHouseAlerts(telemetry: telemetry, issues: known, state: store.state) }
  var asks: any AskReading { ClickHouseAsks(telemetry: telemetry, order: order) }
  var forwards: any ForwardReading { ClickHouseForwards(telemetry: telemetry, order: order) }
}
