import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile size`: what a number of phones asks of a collector.
struct SizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "size", abstract: "Estimate disks, cores and traffic for a number of phones.",
    discussion: """
      automobile size --devices 20000
      automobile size --devices 20000 --sessions 5 --events 400 --replay-minutes 2 --days 14
      automobile size --devices 1000000 --clickhouse

      Arithmetic out of measured figures, which Documentation/Sizing.md names; no collector is asked.
      """)

  @Option(help: "Phones on which the app is used on a day.")
  var devices: Double

  @Option(help: "Sessions of each phone, a day.")
  var sessions = 3.0

  @Option(help: "Events in each session.")
  var events = 300.0

  @Option(help: "Bytes of an event as JSON, on average.")
  var eventBytes = 200.0

  @Option(help: "Minutes of replay in each session, on average over all of them.")
  var replayMinutes = 0.0

  @Option(help: "Days for which everything is kept.")
  var days = 30.0

  @Option(help: "How many times the mean the busiest time of the day has.")
  var peak = 4.0

  @Flag(inversion: .prefixedNo, help: "Whether the words of events are searched in an index of their own.")
  var fullText = true

  @Flag(help: "With telemetry in ClickHouse, as by `automobile serve --store`.")
  var clickhouse = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    let values: [(String, Double, ClosedRange<Double>)] = [
      ("devices", devices, 1...1e9), ("sessions", sessions, 0.001...1000), ("events", events, 1...1e7),
      ("event-bytes", eventBytes, 50...1e6), ("replay-minutes", replayMinutes, 0...1440), ("days", days, 0.01...3650),
      ("peak", peak, 1...1000),
    ]
    for (name, value, bounds) in values where !bounds.contains(value) {
      throw ValidationError(
        "--\(name) takes a number from \(Self.number(bounds.lowerBound)) to \(Self.number(bounds.upperBound)).")
    }
  }

  private var estimate: SizingEstimate {
    var fleet = Fleet(devices: devices)
    (fleet.sessions, fleet.events, fleet.eventBytes) = (sessions, events, eventBytes)
    (fleet.replayMinutes, fleet.days, fleet.peak, fleet.fullText) = (replayMinutes, days, peak, fullText)
    return SizingEstimate(fleet)
  }

  func run() throws {
    let console = Console.standard
    let estimate = estimate
    guard !json else {
      return console.out((clickhouse ? Self.clusterJSON(estimate) : Self.json(estimate)).line)
    }
    let style = console.style
    var table = Table(columns: [.init(title: ""), .init(title: "", alignsRight: true)])
    table.rows = [
      ["sessions a day", Self.number(estimate.sessionsPerDay)],
      ["events a day", Self.number(estimate.eventsPerDay)],
      ["events a second: mean, busiest", Self.perSecond(estimate)],
      ["from each phone, a day", Self.bytes(estimate.sentPerDevice)],
      ["received, a day", Self.bytes(estimate.receivedPerDay)],
    ]
    table.rows += clickhouse ? onCluster(estimate) : onOne(estimate)
    for line in table.lines(width: console.width, style: style).dropFirst() { console.out(line) }
    console.out("")
    console.out(clickhouse ? Self.onClusterWords(estimate, style) : Self.words(estimate, style))
  }

  private func onOne(_ estimate: SizingEstimate) -> [[String]] {
    [
      ["index after \(Self.number(days)) days", Self.bytes(estimate.indexBytes)],
      ["replays after \(Self.number(days)) days", Self.bytes(estimate.replayBytes)],
      ["ingest log, with a day not indexed", Self.bytes(estimate.logBytes)],
      ["disk in all", Self.bytes(estimate.diskBytes)],
      ["of one index, at the busiest time", Self.percent(estimate.indexLoad)],
      ["of a core for taking in, then", Self.percent(estimate.coresToTakeIn)],
    ]
  }

  private func onCluster(_ estimate: SizingEstimate) -> [[String]] {
    [
      ["all shards after \(Self.number(days)) days, events much alike", Self.bytes(estimate.storedBytes.lowerBound)],
      ["… and long texts, rarely the same", Self.bytes(estimate.storedBytes.upperBound)],
      ["blobs after \(Self.number(days)) days", Self.bytes(estimate.replayBytes)],
      ["of a core of all collectors, at the busiest time", Self.percent(estimate.coresToSend)],
      ["of a core of all shards for taking in, then", Self.percent(estimate.coresToStore)],
    ]
  }

  private static func onClusterWords(_ estimate: SizingEstimate, _ style: Style) -> String {
    let asked =
      estimate.keptEvents <= MeasuredFigures.mostAsked
      ? ""
      : style.yellow("Nobody has measured questions about more than \(number(MeasuredFigures.mostAsked)) events there.")
        + " "
    return asked + """
      Give each shard cores for questions, and twice its disk while parts are merged. Two collectors at least, so that one may stop: each \
      keeps up to 512 MiB of what a shard that is away has not taken.
      """
  }

  private static func perSecond(_ estimate: SizingEstimate) -> String {
    "\(number(estimate.meanEventsPerSecond)), \(number(estimate.peakEventsPerSecond))"
  }

  private static func words(_ estimate: SizingEstimate, _ style: Style) -> String {
    switch estimate.verdict {
    case .fits: style.green("One collector does this, within what was measured.")
    case .beyondMeasured:
      style.yellow("One collector takes this in.")
        + " Nobody has put questions to an index of more than \(number(MeasuredFigures.largestIndex)) events: keep it for fewer"
        + " days, or try it out."
    case .behindAtPeak:
      style.yellow("At the busiest time the index falls behind.")
        + " Nothing is lost: what was acknowledged is on the disk, and is found later. Without full text it indexes more."
    case .tooMuch:
      style.red("One collector does not index this.")
        + " Put telemetry into ClickHouse (--clickhouse says how large that is), or send less: what rules name."
    }
  }

  private static func json(_ estimate: SizingEstimate) -> JSON {
    let verdict =
      switch estimate.verdict {
      case .fits: "fits"
      case .beyondMeasured: "beyond_measured"
      case .behindAtPeak: "behind_at_peak"
      case .tooMuch: "too_much"
      }
    return .object(
      received(estimate).merging([
        "indexBytes": whole(estimate.indexBytes), "replayBytes": whole(estimate.replayBytes),
        "logBytes": whole(estimate.logBytes), "diskBytes": whole(estimate.diskBytes),
        "indexLoad": .number(estimate.indexLoad), "coresToTakeIn": .number(estimate.coresToTakeIn),
        "verdict": .string(verdict),
      ]) { $1 })
  }

  /// Of one index nothing is said: there is none.
  private static func clusterJSON(_ estimate: SizingEstimate) -> JSON {
    .object(
      received(estimate).merging([
        "replayBytes": whole(estimate.replayBytes),
        "clickhouseBytes": [whole(estimate.storedBytes.lowerBound), whole(estimate.storedBytes.upperBound)],
        "clickhouseCores": .number(estimate.coresToStore), "collectorCores": .number(estimate.coresToSend),
        "verdict": .string(estimate.keptEvents > MeasuredFigures.mostAsked ? "beyond_measured" : "fits"),
      ]) { $1 })
  }

  private static func received(_ estimate: SizingEstimate) -> [String: JSON] {
    [
      "sessionsPerDay": whole(estimate.sessionsPerDay), "eventsPerDay": whole(estimate.eventsPerDay),
      "meanEventsPerSecond": .number(estimate.meanEventsPerSecond),
      "peakEventsPerSecond": .number(estimate.peakEventsPerSecond),
      "sentBytesPerDevice": whole(estimate.sentPerDevice), "receivedBytesPerDay": whole(estimate.receivedPerDay),
    ]
  }

  private static func whole(_ value: Double) -> JSON { .integer(Int64(min(value.rounded(), 9e15))) }

  private static func percent(_ part: Double) -> String {
    part < 0.01 ? "< 1 %" : "\(Format.count(Int(min((part * 100).rounded(), 9e15)))) %"
  }

  private static func bytes(_ value: Double) -> String { Format.bytes(Int(min(value.rounded(), 9e15))) }

  private static func number(_ value: Double) -> String {
    if value < 100, value != value.rounded() { return String(format: "%.1f", value) }
    return Format.count(Int(min(value.rounded(), 9e15)))
  }
}
