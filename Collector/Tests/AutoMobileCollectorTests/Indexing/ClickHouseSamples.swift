import AutoMobileJournal
import Foundation
import GRDB
import Logging

@testable import AutoMobileCollector

/// Deliveries for the way into ClickHouse.
extension `The way into ClickHouse` {
  static let earlier = "11111111-1111-4111-8111-111111111111"

  /// Something for every table.
  static func everything() -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1", user: "ada", tags: ["plan": "pro"])
    batch.addNavigation(to: "Home", at: 1000)
    batch.addLog("Grüße, an 2 Leute!", at: 1001, level: 5)
    let trace = #""traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01""#
    let more = [
      #""eventType":"network_request","url":"https://api.example.com/v1/orders/2041?q=1","method":"POST","statusCode":503,"durationMs":12.5,\#(trace)"#,
      #""eventType":"span","name":"checkout","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"0000000000000011","durationMs":2,"status":"ok""#,
      #""eventType":"handled_exception","errorDomain":"PaymentError","errorMessage":"card declined","stackTrace":"0 Shop 0x10 Cart.pay() + 4""#,
      #""eventType":"custom","name":"App Launch","properties":{"kind":"cold","totalMs":812,"preMainMs":100}"#,
      #""eventType":"custom","name":"Frames","properties":{"screen":"Home","durationMs":5000,"frames":300,"slow":4,"worstMs":40}"#,
      #""eventType":"custom","name":"Frames","properties":{"frames":-1}"#,
      #""eventType":"interaction","interactionType":"rage_tap","properties":{"screen":"Cart","text":"Buy"}"#,
      #""eventType":"lifecycle","state":"previous_launch_ended","details":{"launchId":"\#(earlier)","verdict":"crash","evidence":"signal","appVersion":"2.0","memory":"412 of 450 MB"}"#,
      #""eventType":"session_summary","session":"s-0","ofLaunch":"\#(earlier)","revision":3,"startedAt":10,"endedAt":90,"events":{"log":7},"keptEvents":5"#,
      #""eventType":"session_summary","session":"s-0","revision":4,"sameAs":3,"isFinal":true,"end":"crash""#,
      #""eventType":"storage_changed","suiteName":"defaults""#,
    ]
    for (index, members) in more.enumerated() {
      let time = index == more.count - 1 ? 2000 : 1100 + index
      batch.add(.event, "{\(members),\"timestamp\":\(time),\"contextId\":1}")
    }
    batch.ledger = LaunchLedger(recorded: 13, dropped: ["evicted": 2])
    return batch
  }

  /// What strangers send.
  static func hostile() -> [RawBatch] {
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let texts: [(RecordKind, String)] = [
      (.event, ""), (.event, "{"), (.event, "null"), (.event, "[]"), (.event, "\u{FEFF}{}"), (.event, "{}"),
      (.event, #"{"eventType":"log"}"#), (.event, #"{"timestamp":5}"#), (.event, #"{"eventType":5,"timestamp":5}"#),
      (.event, #"{"eventType":"log","timestamp":"5"}"#), (.event, #"{"eventType":"log","timestamp":1e99}"#),
      (.event, #"{"eventType":"log","timestamp":5,"sessionId":7}"#),
      (.event, #"{"eventType":"log","timestamp":5,"sessionId":"a\u0000b"}"#),
      (.event, #"{"eventType":"log","timestamp":5,"sessionId":"\#(String(repeating: "s", count: 300))"}"#),
      (.event, #"{"eventType":"\#(String(repeating: "t", count: 300))","timestamp":5}"#),
      (.event, #"{"eventType":"log","timestamp":5,"deep":\#(deep)}"#),
      (.event, #"{"eventType":"log","timestamp":5,"context":{"sessionId":5}}"#),
      (.event, #"{"eventType":"log","timestamp":5,"context":{"sessionId":"own","tags":[1],"device":7}}"#),
      (.event, #"{"eventType":"log","timestamp":-9223372036854775808,"contextId":"x","message":"it's \\ ' \u0000"}"#),
      (.event, #"{"eventType":"log","timestamp":9223372036854775807,"sessionId":null}"#),
      (.event, #"{"eventType":"crash","timestamp":5,"report":[1,2],"stackTrace":{}}"#),
      (.event, #"{"eventType":"network_request","timestamp":5,"url":7,"statusCode":"x","durationMs":-1}"#),
      (.event, #"{"eventType":"span","timestamp":5,"traceId":7,"spanId":"zz"}"#),
      (.event, #"{"eventType":"session_summary","timestamp":5,"revision":"x","ofLaunch":"no launch"}"#),
      (.event, #"{"eventType":"custom","timestamp":5,"name":"Frames","properties":{"frames":1e300}}"#),
      (.event, #"{"eventType":"navigation","timestamp":5,"destination":"\#(String(repeating: "d", count: 3000))"}"#),
      (.context, ""), (.context, "{}"), (.context, #"{"contextId":"x"}"#),
      (.context, #"{"contextId":3,"sessionId":[]}"#),
      (.context, #"{"contextId":4,"sessionId":"\#(String(repeating: "s", count: 300))"}"#),
      (.context, #"{"contextId":5,"sessionId":"s-5","tags":7,"device":[]}"#),
      (.breadcrumb, ""), (.breadcrumb, "{}"), (.breadcrumb, #"{"timestamp":"x"}"#),
      (.breadcrumb, #"{"timestamp":1e300}"#),
      (.breadcrumb, #"{"timestamp":5.25,"message":"of the last context"}"#),
      (.event, #"{"eventType":"log","timestamp":5,"filler":"\#(String(repeating: "x", count: 1 << 20))"}"#),
    ]
    var batch = RawBatch()
    for (kind, text) in texts { batch.add(kind, text) }
    return [batch]
  }

  /// What the index in SQLite makes of them: what is put aside, and what is kept.
  static func sqlite(_ batches: [RawBatch]) async throws -> (aside: [String], kept: [String]) {
    let directory = try TemporaryDirectory()
    let limits = CollectorLimits()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let store = try EventStore(
      path: directory.url.path + "/index", fullText: false, maximumDepth: limits.jsonDepth, limits: limits)
    let log = try IngestLog(
      directory: LogDirectory(path: directory.url.path + "/log"), indexed: LogPosition(segment: 0, offset: 0),
      segmentSize: 1 << 20, metrics: CollectorMetrics(), logger: logger)
    let indexer = Indexer(
      store: store, log: log, from: LogPosition(segment: 0, offset: 0), limits: limits, commits: CommitSignal(),
      metrics: CollectorMetrics(), logger: logger)
    for batch in batches {
      try await log.append(
        receivedAt: 1_700_000_100_000, owner: FollowedLog.owner, batch: CheckedBatch(raw: try batch.body()))
    }
    log.close()
    indexer.stop()
    return try await store.pool.read { database in
      let aside = try String.fetchAll(
        database,
        sql: """
          SELECT given || ' ' || sequence || ' ' || kind || ' ' || length
          FROM quarantine JOIN launch ON launch.id = quarantine.launch
          """)
      let kept = try String.fetchAll(
        database,
        sql: """
          SELECT launch.given || ' ' || sequence || ' ' || session.given || ' ' || name FROM event
          JOIN launch ON launch.id = event.launch JOIN session ON session.id = event.session
          JOIN event_type ON event_type.id = event.type
          """)
      return (aside, kept)
    }
  }
}
