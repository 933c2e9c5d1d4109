import Foundation
import Hummingbird

/// `GET /api/health`: how well apps do.
struct HealthRoutes: Sendable {
  let health: any HealthReading

  func add(to routes: RouteTable) {
    routes.get("/api/health", for: .reader) { request, _, scope in
      let filter = try HealthFilter(request, now: WallClock.now)
      let report = try await health.report(scope, filter)
      // There may be a million values to be put in order.
      return try await offLoop {
        var json = JSONOutput()
        report.write(to: &json)
        return json
      }.response()
    }
    routes.get("/api/health/savings", for: .reader) { request, _, scope in
      let now = WallClock.now
      var filter = try HealthFilter(request, now: now)
      if request.parameter("from") == nil { filter.from = filter.to - UploadSavings.weeks * 7 * HealthFilter.day }
      let savings = try await health.savings(scope, filter)
      var json = JSONOutput()
      savings.write(to: &json)
      return json.response()
    }
    routes.get("/api/apps", for: .reader) { _, _, scope in
      let apps = try await health.apps(scope)
      var json = JSONOutput()
      json.object { apps.writeMembers(to: &$0) }
      return json.response()
    }
  }
}
