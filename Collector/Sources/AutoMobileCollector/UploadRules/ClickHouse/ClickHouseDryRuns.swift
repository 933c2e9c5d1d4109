import AutoMobileClickHouse
import AutoMobileJournal
import Foundation
import NIOCore

/// Holds rules against what is stored of the last days in ClickHouse: what ``SQLiteDryRuns`` does with the index.
///
/// Bounded in the same ways. A question costs more here, so within the same time fewer launches are looked at, and the answer says so.
struct ClickHouseDryRuns: DryRunReading {
  let telemetry: ClickHouseTelemetry
  var limits = DryRunLimits()

  func run(_ scope: ReadScope, _ rules: [UploadRule], of bundle: String?, now: Int64) async throws -> DryRun {
    let (limits, from) = (limits, now - limits.milliseconds)
    return try await telemetry.read(scope, .heavy) { reading in
      var run = DryRun(figures: DryRunFigures(rules: rules.count), from: from, to: now)
      let end = ContinuousClock.now + .seconds(limits.seconds)
      let plan = try await DryRunPlan(reading, from: from, bundle: bundle, most: limits.launches)
      var looking = Looking(
        reading: reading, rules: DryRunDevice.Rules(rules, types: plan.types), types: plan.types, from: from, end: end)
      var left = limits.events
      looking: for device in plan.devices {
        var look = DryRunDevice(looking.rules)
        defer {
          look.finish(into: &run.figures)
          if look.isFull { run.isPartial = true }
        }
        for launch in device {
          guard left > 0, ContinuousClock.now < end else {
            run.isPartial = true
            break looking
          }
          look.begin(launch.id)
          if try await looking.look(at: launch, most: min(left, limits.eventsOfLaunch), &look) { run.isPartial = true }
          left -= look.eventsOfLaunch
        }
      }
      if plan.isCut { run.isPartial = true }
      run.sample = try await Self.sample(plan.devices, reading)
      return run
    }
  }

  /// How well events of the newest launches compress.
  private static func sample(
    _ devices: [[DryRunPlan.Launch]], _ reading: ClickHouseReading
  ) async throws -> DryRun.Sample {
    var text = ByteBuffer()
    for launch in devices.prefix(8).compactMap(\.last) where text.readableBytes < DryRun.Sample.most {
      var rows = DistinctRows(TelemetryTables.events, ["position", "payload"])
      rows.range = launch.range
      rows.order = ["position"]
      rows.limit = DryRun.Sample.events
      let statement = reading.distinct(
        rows, selecting: ["substring(payload, 1, \(Int64(DryRun.Sample.longest)))"])
      for bytes in try await reading.rows(statement, { try $0.bytes() })
      where text.readableBytes < DryRun.Sample.most {
        text.writeImmutableBuffer(bytes)
      }
    }
    return DryRun.Sample(text)
  }
}

/// Goes through launches, with numbers for what has names here.
private struct Looking {
  /// Events of one answer.
  private static let atOnce = 1000

  let reading: ClickHouseReading
  let rules: DryRunDevice.Rules
  let from: Int64
  let end: ContinuousClock.Instant
  private let numbers: [String: Int64]
  private let readTypes: [String]
  private var sessions: [String] = []
  private var places: [String: Int64] = [:]

  init(
    reading: ClickHouseReading, rules: DryRunDevice.Rules, types: [(name: String, id: Int64)], from: Int64,
    end: ContinuousClock.Instant
  ) {
    (self.reading, self.rules, self.from, self.end) = (reading, rules, from, end)
    numbers = Dictionary(types.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    let read = Set(rules.readTypes)
    readTypes = types.filter { read.contains($0.id) }.map(\.name)
  }

  private struct Record: Sendable {
    var position: Int64
    var session: String
    var type: String
    var timestamp: Int64
    var bytes: Int64
    var duration: Int64
    var payload: ByteBuffer
  }

  /// - Returns: whether the launch has more events than were looked at.
  mutating func look(at launch: DryRunPlan.Launch, most: Int, _ device: inout DryRunDevice) async throws -> Bool {
    var count = 0
    var last = Int64.min
    while true {
      let records = try await records(of: launch, after: last)
      for record in records {
        guard count < most, ContinuousClock.now < end else { return true }
        count += 1
        let session = number(of: record.session, launch)
        let names = sessions
        record.payload.withUnsafeReadableBytes { payload in
          device.look(
            at: DryRunDevice.Event(
              session: session, type: numbers[record.type] ?? -1, timestamp: record.timestamp,
              duration: record.duration, bytes: record.bytes, payload: payload.isEmpty ? nil : payload)
          ) { names[Int($0)] }
        }
      }
      guard records.count == Self.atOnce, let next = records.last?.position else { return false }
      last = next
    }
  }

  private mutating func number(of session: String, _ launch: DryRunPlan.Launch) -> Int64 {
    // What two apps call alike are two sessions.
    let key = "\(launch.project) \(session)"
    if let known = places[key] { return known }
    sessions.append(session)
    places[key] = Int64(sessions.count - 1)
    return Int64(sessions.count - 1)
  }

  private func records(of launch: DryRunPlan.Launch, after position: Int64) async throws -> [Record] {
    var rows = DistinctRows(
      TelemetryTables.events,
      ["position", "session", "type", "timestamp", "duration", "context", "payload"])
    // What has no position of its own comes from nothing that knows rules.
    rows.range =
      launch.range + [
        "timestamp >= \(from)", "position > \(position)", "position < \(SyntheticNames.firstPosition)",
      ]
    rows.order = ["position"]
    rows.limit = Self.atOnce
    let statement = reading.distinct(
      rows,
      selecting: [
        "position", "session", "type", "timestamp", "toInt64(length(payload)) AS bytes",
        "ifNull(duration, 0) AS lasted",
        "if(has(\(SQLValue.strings(readTypes)), type) OR ifNull(context, -1) < 0, payload, '') AS json",
      ])
    return try await reading.rows(statement) { row in
      Record(
        position: try row.int(), session: try row.string(), type: try row.string(), timestamp: try row.int(),
        bytes: try row.int(), duration: try row.int(), payload: try row.bytes())
    }
  }
}
