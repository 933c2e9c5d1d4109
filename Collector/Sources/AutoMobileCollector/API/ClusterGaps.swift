import HTTPTypes
import Hummingbird

/// What is not there yet where telemetry is in ClickHouse. It is refused, to those who may ask for it: an empty answer would say that
/// there is nothing, and what is taken and not done would be a lie.
///
/// Whoever brings something to the cluster takes its lines out of here.
enum ClusterGaps {
  struct Gap: Sendable {
    /// Nil: all of them.
    var method: String?
    var path: String
    /// As the subject of a sentence about several.
    var what: String
  }

  static let all: [Gap] =
    gaps(
      "issues", "/api/issues", "/api/reports", "/api/issues/{id}", "/api/issues/{id}/status", "/api/issues/{id}/undo",
      "/api/issues/{id}/assignee", "/api/issues/{id}/link", "/api/issues/{id}/comments", "/api/issues/{id}/merge",
      "/api/issues/{id}/split")
    + gaps(
      "replays", "/api/sessions/{id}/replays", "/api/replays/{id}", "/api/replays/{id}/segments/{segment}",
      "/api/ingest/segment/presign", "/api/ingest/segment/{id}", "/api/ingest/segment/complete",
      "/api/ingest/session/end", "/api/ingest/fault")
    + gaps("erasures", "/api/erasures", "/api/erasures/{id}")
    + gaps("imported session files", "/api/import")
    + gaps("sums of what devices keep", "/api/health/savings")
    + [
      Gap(method: "PUT", path: "/api/settings/retention", what: "deletions of old sessions"),
      Gap(method: "POST", path: "/api/alerts/rules", what: "alerts"),
      Gap(method: "PUT", path: "/api/alerts/rules/{id}", what: "alerts"),
      Gap(method: "POST", path: "/api/forwarders", what: "forwarders"),
      Gap(method: "PUT", path: "/api/forwarders/{id}", what: "forwarders"),
      Gap(method: "POST", path: "/api/asks", what: "asks to devices"),
    ]

  private static func gaps(_ what: String, _ paths: String...) -> [Gap] {
    paths.map { Gap(method: nil, path: $0, what: what) }
  }

  /// Nil: it is there.
  static func refusal(_ method: HTTPRequest.Method, _ path: String) -> APIError? {
    let gap = all.first { $0.path == path && $0.method.map { $0 == method.rawValue } ?? true }
    return gap.map {
      APIError(
        .notImplemented, "not_on_cluster",
        "\($0.what) are not there yet where telemetry is in ClickHouse (Documentation/Cluster.md, “What there is not”)")
    }
  }

  /// For whoever starts such a collector.
  static var sentence: String {
    var names: [String] = []
    for gap in all where !names.contains(gap.what) { names.append(gap.what) }
    return
      "telemetry is in ClickHouse, where there are no \(names.joined(separator: ", ")) yet: these are refused (Documentation/Cluster.md)"
  }
}
