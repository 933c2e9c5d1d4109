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
    gaps("imported session files", "/api/import")

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
