import AutoMobileClickHouse
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// A context that comes in one batch, and the first event of its session in another one.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(5)))
struct `What a context says of a session` {
  /// Of one launch: what comes first, and what comes behind.
  private static func deliveries(_ session: String) -> (context: RawBatch, event: RawBatch) {
    var context = RawBatch()
    context.addContext(1, session: session, user: "ada", tags: ["plan": "pro"])
    var event = RawBatch(launch: context.launch, from: context.position)
    event.addLog("the first event")
    return (context, event)
  }

  private static func said(_ collector: ClusterCollector, _ session: String) async throws -> [String?] {
    let telemetry = collector.telemetry
    let row = try await telemetry.readOwn { reading in
      guard let name = try await reading.session(named: session) else { return nil as SessionRow? }
      return try await reading.sessions([name], live: 0).first
    }
    return [row?.userId, row?.appVersion, row?.tags, row?.device.map { _ in "device" }, row?.bundleId]
  }

  private static let all = ["ada", "2.1", #"{"plan":"pro"}"#, "device", "dev.example.shop"]

  @Test func `is told with the first event of it, in whichever batch that comes`() async throws {
    try await ErasureStage.with { _, collector, _ in
      let (context, event) = Self.deliveries("s-1")
      try await collector.followed.append(context)
      try await collector.followed.drain()
      try await collector.followed.append(event)
      try await collector.followed.drain()
      #expect(try await Self.said(collector, "s-1") == Self.all)
    }
  }

  @Test func `is not told once more over what came with it`() async throws {
    try await ErasureStage.with { _, collector, _ in
      let (context, before) = Self.deliveries("s-1")
      var event = before
      try await collector.followed.append(context)
      try await collector.followed.drain()
      event.addContext(2, session: "s-1", user: "lin", tags: ["plan": "pro"])
      // Another thread's, which had begun before.
      event.addLog("of the first context")
      try await collector.followed.append(event)
      try await collector.followed.drain()
      #expect(try await Self.said(collector, "s-1") == ["lin"] + Self.all.dropFirst())
    }
  }

  @Test func `is told by a collector that it did not come to`() async throws {
    try await ErasureStage.with { cluster, collector, directory in
      let (context, event) = Self.deliveries("s-1")
      try await collector.followed.append(context)
      try await collector.followed.drain()
      let other = try ClusterCollector(
        directory.url.appending(path: "two"), cluster, blobs: directory.url.appending(path: "blobs"), writer: 1)
      defer { other.close() }
      try await other.followed.append(event)
      try await other.followed.drain()
      #expect(try await Self.said(other, "s-1") == Self.all)
    }
  }
}
