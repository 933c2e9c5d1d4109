import Foundation
import Hummingbird

/// `GET /api/health`: how well apps do.
struct HealthRoutes: Sendable {
  let store: EventStore

  func add(to routes: RouteTable) {
    routes.get("/api/health", for: .reader) { request, _, scope in
      let filter = try HealthFilter(request, now: WallClock.now)
      let json = try await store.read(scope, .heavy) { database in
        var json = JSONOutput()
        try HealthReport(filter, database).write(to: &json)
        return json
      }
      return json.response()
    }
    routes.get("/api/health/savings", for: .reader) { request, _, scope in
      let now = WallClock.now
      var filter = try HealthFilter(request, now: now)
      if request.parameter("from") == nil { filter.from = filter.to - UploadSavings.weeks * 7 * HealthFilter.day }
      let json = try await store.read(scope, .heavy) { [filter] database in
        var json = JSONOutput()
        try UploadSavings(filter, database).write(to: &json)
        return json
      }
      return json.response()
    }
    routes.get("/api/apps", for: .reader) { _, _, scope in
      let json = try await store.read(scope, .heavy) { database in
        var json = JSONOutput()
        try json.object { try KnownApps(database).writeMembers(to: &$0) }
        return json
      }
      return json.response()
    }
  }
}
