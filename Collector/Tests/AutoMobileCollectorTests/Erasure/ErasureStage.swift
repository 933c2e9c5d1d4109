import AutoMobileJournal
import ClickHouseTestServer
import Foundation

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// What there is to erase, and where it is looked for.
enum ErasureStage {
  /// With something for every table, of one session.
  static func story(
    _ session: String, user: String, device: String = "", launch: LaunchID = LaunchID(),
    at start: Int = 1_700_000_000_000,
    isBroken: Bool = true
  ) -> RawBatch {
    var batch = RawBatch(launch: launch)
    let installation = device.isEmpty ? "" : #","anonymousId":"\#(device)""#
    batch.add(
      .context,
      #"{"contextId":1,"sessionId":"\#(session)","userId":"\#(user)","appVersion":"2.1","bundleId":"dev.example.shop"\#(installation)}"#
    )
    batch.addNavigation(to: "\(user)screen", at: start)
    batch.addLog("\(user) says", at: start + 1)
    let more = [
      #""eventType":"network_request","url":"https://\#(user).example.com/v1","method":"GET","statusCode":500"#,
      #""eventType":"span","name":"\#(user)","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"0000000000000011","durationMs":2"#,
      #""eventType":"crash","errorDomain":"Pay","errorMessage":"\#(user)","bundleId":"dev.example.shop","stackTrace":"0 Shop 0x1 pay + 4""#,
      #""eventType":"custom","name":"App Launch","properties":{"kind":"cold","totalMs":812}"#,
      #""eventType":"lifecycle","state":"previous_launch_ended","details":{"launchId":"\#(LaunchID())","verdict":"crash","evidence":"\#(user)"}"#,
      #""eventType":"session_summary","session":"\#(session)","revision":3,"startedAt":\#(start),"endedAt":\#(start + 90),"events":{"log":7}"#,
      "\(user)broken",
    ]
    for (index, members) in more.enumerated() where isBroken || index < more.count - 1 {
      batch.add(.event, "{\(members),\"timestamp\":\(start + 10 + index),\"contextId\":1}")
    }
    return batch
  }

  static let events = 8

  /// Contexts of a session that are too much for an answer of ``answer`` bytes, and could each be of any device.
  static func manyContexts(_ session: String, user: String) -> RawBatch {
    var batch = RawBatch()
    let filler = String(repeating: "x", count: 8000)
    for index in 1...contexts {
      batch.add(
        .context,
        #"{"contextId":\#(index),"sessionId":"\#(session)","userId":"\#(user)","anonymousId":"d\u002d\#(index)\#(filler)"}"#
      )
    }
    return batch
  }

  static let contexts = 60
  static let answer = 128 << 10

  /// Rows that name somebody, by table: as bytes of all columns.
  static func rows(naming text: String, _ cluster: ClickHouseCluster) async throws -> [String: Int] {
    var found: [String: Int] = [:]
    for table in TelemetryTables.all where table.name != "session_parts" && table.name != "launches" {
      let columns = table.columnNames(cluster.dialect).map { "ifNull(toString(\($0)), '')" }.joined(
        separator: ", ' ', ")
      let texts = try await cluster.client.rows(
        AutoMobileClickHouse.SQL(
          trusted: "SELECT concat(\(columns), '') FROM \(cluster.database.quoted).\(table.sharedName.quoted)")
      ) { try $0.string() }
      let count = texts.count { $0.contains(text) }
      if count > 0 { found[table.name] = count }
    }
    let sessions = try await cluster.client.rows("SELECT project, session FROM \(cluster.readableSessions)") {
      (try $0.string(), try $0.string())
    }.count { $0.1.contains(text) }
    if sessions > 0 { found["sessions"] = sessions }
    return found
  }

  static func with(
    _ body: (ClickHouseCluster, ClusterCollector, TemporaryDirectory) async throws -> Void
  ) async throws {
    try await ClickHousePair.shared.with { cluster in try await with(cluster, asking: cluster, body) }
  }

  /// The same with a collector that takes no more than so many bytes in an answer; whoever looks at the cluster does.
  static func with(
    answer: Int, _ body: (ClickHouseCluster, ClusterCollector, TemporaryDirectory) async throws -> Void
  ) async throws {
    let pair = try await ClickHousePair.shared
    let database = "test_\(UUID().uuidString.prefix(8))"
    var limits = ClickHouseClient.Limits()
    limits.answer = answer
    try await pair.with(database: database) { [limits] cluster in
      let asked = try await ClickHouseCluster.open(try pair.address(database), limits: limits)
      do {
        try await with(cluster, asking: asked, body)
      } catch {
        try await asked.shutdown()
        throw error
      }
      try await asked.shutdown()
    }
  }

  private static func with(
    _ cluster: ClickHouseCluster, asking asked: ClickHouseCluster,
    _ body: (ClickHouseCluster, ClusterCollector, TemporaryDirectory) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let collector = try ClusterCollector(
      directory.url.appending(path: "one"), asked, blobs: directory.url.appending(path: "blobs"))
    do {
      try await body(cluster, collector, directory)
    } catch {
      collector.close()
      throw error
    }
    collector.close()
  }
}
