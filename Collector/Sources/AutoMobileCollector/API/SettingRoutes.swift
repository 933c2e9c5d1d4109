import Foundation
import GRDB
import Hummingbird

/// `/api/settings`: what operators set for the whole collector, and how it is protected.
struct SettingRoutes: Sendable {
  let store: EventStore
  let settings: SettingStore
  let retention: Retention
  let directory: String
  let protection: Protection
  let bodies: SmallBodies
  /// Whether sessions are in ClickHouse, and not counted here.
  var isOnCluster = false

  /// Who may talk to it, in words.
  struct Protection: Sendable {
    var isLoopback: Bool
    var asksForKeys: Bool
    var hasOperatorKey: Bool
  }

  func add(to routes: RouteTable) {
    routes.get("/api/settings", for: .fullReader) { _, _, scope in try await answer(scope) }
    routes.put("/api/settings/retention", for: .operator) { request, context, scope in
      let tree = try await bodies.json(request, maximumDepth: 4)
      guard case .object(let members) = tree, Set(members.keys).isSubset(of: ["days", "bytes"]) else {
        throw APIError.badRequest("invalid_retention", "send {\"days\": 30, \"bytes\": 20000000000}; null: no limit")
      }
      var policy = RetentionPolicy()
      policy.days = try Self.number("days", members).map { Int($0) }
      policy.bytes = try Self.number("bytes", members)
      try await settings.setRetention(policy, by: context.author(request), at: WallClock.now)
      return try await answer(scope.reading)
    }
  }

  private static func number(_ name: String, _ members: [String: JSONTree]) throws -> Int64? {
    guard let value = members[name], !value.isNull else { return nil }
    guard let number = value.integer else {
      throw APIError.badRequest("invalid_\(name)", "\(name) must be a whole number, or null for no limit")
    }
    return number
  }

  private func answer(_ scope: ReadScope) async throws -> Response {
    let change = settings.retention
    let report = retention.report
    let (used, sessions, oldest, events) = try await store.read(scope, .heavy) { database in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT COUNT(*), MIN(NULLIF(received, 0)), SUM(events) FROM session WHERE events > 0 OR told > 0")
      return (
        try Retention.usedBytes(database), row?[0] as Int64? ?? 0, row?[1] as Int64?, row?[2] as Int64? ?? 0
      )
    }
    var json = JSONOutput()
    json.object {
      $0.object("retention") {
        $0.member("days", change.policy.days.map(Int64.init))
        $0.member("bytes", change.policy.bytes)
        $0.member("changedAt", change.changedAt)
        $0.member("changedBy", change.changedBy)
        $0.member("running", report.isRunning)
        $0.member("lastRun", report.lastRun)
        $0.member("deletedSessions", Int64(report.sessions))
        $0.member("deletedEvents", Int64(report.events))
        $0.member("problem", report.problem)
      }
      $0.object("storage") {
        $0.member("usedBytes", used)
        $0.member("fileBytes", Self.size(of: directory + "/index.sqlite"))
        $0.member("freeBytes", Self.free(directory))
        $0.member("sessions", isOnCluster ? nil : sessions)
        $0.member("events", isOnCluster ? nil : events)
        $0.member("oldestReceived", oldest)
        $0.member("fullText", store.hasFullText)
      }
      $0.object("access") {
        $0.member("loopback", protection.isLoopback)
        $0.member("asksForKeys", protection.asksForKeys)
        $0.member("operatorKey", protection.hasOperatorKey)
      }
    }
    return json.response()
  }

  private static func size(of file: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  private static func free(_ directory: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}
