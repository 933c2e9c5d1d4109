import Foundation
import Hummingbird

/// `GET /api/health`: how well apps do.
struct HealthRoutes: Sendable {
  let store: EventStore

  func add(to routes: RouteTable) {
    routes.get("/api/health", for: .reader) { request, _, scope in
      let filter = try HealthFilter(request, now: WallClock.now)
      let json = try await store.pool.read { database in
        var json = JSONOutput()
        try HealthReport(filter, database).write(to: &json)
        return json
      }
      return json.response()
    }
    routes.get("/api/apps", for: .reader) { _, _, scope in
      let apps = try await store.pool.read { try HealthReport.apps($0) }
      var json = JSONOutput()
      json.object {
        $0.array("apps") {
          for app in apps {
            $0.object {
              $0.member("bundleId", app.bundleId)
              $0.array("versions") { for version in app.versions { $0.string(version) } }
            }
          }
        }
      }
      return json.response()
    }
  }
}
