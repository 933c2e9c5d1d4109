/// What apps recorded, as it is asked for: whatever engine it lies in. Whoever asks holds these, and no table.
///
/// What people have set and decided is not in here.
protocol TelemetryStore: Sendable {
  var sessions: any SessionReading { get }
  var events: any EventReading { get }
  var arrivals: any ArrivalReading { get }
  var launches: any LaunchReading { get }
  var outgoing: any OutgoingReading { get }
  var issues: any IssueReading & IssueDirectory { get }
  var requests: any RequestReading { get }
  var spans: any SpanReading { get }
  var health: any HealthReading { get }
  var values: any ValueReading { get }
  var dryRuns: any DryRunReading { get }
  var replays: any ReplayReading { get }
  var alerts: any AlertReading { get }
  var asks: any AskReading { get }
  var forwards: any ForwardReading { get }
}
