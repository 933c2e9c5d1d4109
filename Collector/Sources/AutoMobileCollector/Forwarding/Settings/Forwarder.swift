import Foundation

/// A receiver of OpenTelemetry's protocol that is sent what comes.
struct Forwarder: Sendable, Equatable {
  var id: Int64 = 0
  var name: String
  var settings: Settings
  var changedAt: Int64 = 0
  var changedBy = ""

  /// Kept as JSON in the index, whose file only the collector's user can read.
  struct Settings: Sendable, Equatable, Codable {
    /// The base, to which `/v1/logs` and `/v1/traces` are added. Sometimes secret itself.
    var url: String
    var format = OTLPFormat.protobuf
    var gzip = true
    /// Secret: what a receiver is shown as credentials.
    var headers: [String: String] = [:]
    /// Only events of these types; nil: of all.
    var types: [String]?
    /// As ``Outline/severity`` counts, from here on; 0: all.
    var level: Int64 = 0
    /// Only of this app; nil: of all.
    var bundleId: String?
    /// So many events may wait; older ones are left out. nil: as many as the index holds.
    var mostBehind: Int64?
    var isPaused = false

    init(url: String) { self.url = url }

    /// Where a signal is posted to.
    func url(of signal: ForwardSignal) -> String {
      guard var parts = URLComponents(string: url) else { return url }
      parts.path = (parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path) + signal.path
      return parts.string ?? url
    }
  }

  static let most = 20
  static let longestName = 80
  static let levels = ["verbose", "debug", "info", "warning", "error", "fault"]
}

extension OTLPFormat: Codable {}

/// Which of the events a lane sends.
struct ForwardFilter: Sendable, Equatable {
  let signal: ForwardSignal
  let types: Set<String>?
  let level: Int64
  let bundleId: String?

  init(_ settings: Forwarder.Settings, _ signal: ForwardSignal) {
    self.signal = signal
    types = settings.types.map(Set.init)
    level = settings.level
    bundleId = settings.bundleId
  }

  func wants(type: String) -> Bool { signal.has(type: type) && types?.contains(type) != false }

  /// Whether any event can ever be wanted.
  var isEmpty: Bool { types.map { !$0.contains(where: signal.has) } ?? false }
}
