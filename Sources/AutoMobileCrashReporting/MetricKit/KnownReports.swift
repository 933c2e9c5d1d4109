import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// What this SDK has told by itself of crashes and hangs, and which of MetricKit's diagnostics have been told: so that
/// nothing is told twice.
///
/// MetricKit hands a diagnostic out soon after the incident, or a day later, and sometimes again. A diagnostic is one
/// of ours when
/// - both are of the same version of the app, as far as both know it,
/// - ours happened within the diagnostic's time, or up to ten minutes beside it: clocks and deliveries are not exact,
/// - a crash: the signals are the same, as far as both know one; process ids, where both have one, are the same,
/// - a hang: the durations differ by no more than half a second or a quarter.
///
/// Each report of ours stands for one diagnostic only.
struct KnownReports: Codable, Equatable, Sendable {
  struct Own: Codable, Equatable, Sendable {
    enum Kind: String, Codable, Sendable { case crash, hang }

    var kind: Kind
    /// Names it; a crash by the launch that it ended.
    var id: String
    /// Milliseconds since 1970.
    var time: Int64
    var appVersion: String?
    /// The signal's name: numbers differ between systems.
    var signal: String?
    var pid: Int?
    var durationMs: Double?
    /// A diagnostic has been found to be the same.
    var isMatched: Bool?
  }

  /// Milliseconds beside a diagnostic's time.
  static let slack: Int64 = 600_000
  private static let maximumOwn = 200
  private static let maximumTold = 400

  /// The newest last.
  var own: [Own] = []
  /// ``MetricKitDiagnostic/identity`` of those that have been dealt with; the newest last.
  var told: [String] = []
  /// The process ids of launches that recorded, the newest last; nil in files of earlier versions.
  var launches: [Int]?
  /// Since when they are noted, in milliseconds since 1970.
  var launchesSince: Int64?

  private static let maximumLaunches = 1000

  /// A launch records: what the system says of it may be told.
  mutating func noteLaunch(pid: Int, at now: Int64) {
    var launches = launches ?? []
    if launches.last != pid { launches.append(pid) }
    launches.removeFirst(max(0, launches.count &- Self.maximumLaunches))
    self.launches = launches
    launchesSince = launchesSince ?? now
  }

  /// A launch records no more.
  mutating func forgetLaunch(pid: Int) { launches?.removeAll { $0 == pid } }

  /// Whether a diagnostic may be of a launch that was switched off, or denied: that is never told.
  ///
  /// It is known by its process id, which the system gives from iOS 17 on. A crash without one may be anybody's: launches that are
  /// off leave nothing by which it could be told from theirs.
  func isOfSilentLaunch(_ diagnostic: MetricKitDiagnostic) -> Bool {
    guard let pid = diagnostic.pid else { return diagnostic.kind == .crash }
    guard let launches, let launchesSince, launchesSince <= diagnostic.begin else { return false }
    return !launches.contains(pid)
  }

  /// Whether a diagnostic may be of the time between an erasure and the first launch that recorded again.
  func isOfSilentTime(_ diagnostic: MetricKitDiagnostic, erasedAt: Int64) -> Bool {
    guard erasedAt > 0 else { return false }
    return diagnostic.begin < max(erasedAt, launchesSince ?? .max)
  }

  /// Adds reports of ours, each once.
  mutating func add(_ reports: [Own]) {
    for report in reports where !own.contains(where: { $0.id == report.id }) { own.append(report) }
    own.removeFirst(max(0, own.count &- Self.maximumOwn))
  }

  /// Whether a diagnostic is news; from now on it is not.
  mutating func take(_ diagnostic: MetricKitDiagnostic) -> Bool {
    let id = diagnostic.report.reportId
    guard !told.contains(id) else { return false }
    told.append(id)
    told.removeFirst(max(0, told.count &- Self.maximumTold))
    let match = own.indices.filter { own[$0].isMatched != true && Self.match(own[$0], diagnostic) }
      .min { Self.distance(own[$0], diagnostic) < Self.distance(own[$1], diagnostic) }
    guard let match else { return true }
    own[match].isMatched = true
    return false
  }

  private static func match(_ own: Own, _ diagnostic: MetricKitDiagnostic) -> Bool {
    guard own.time >= diagnostic.begin.subtracting(saturating: slack),
      own.time <= diagnostic.end.adding(saturating: slack), agree(own.appVersion, diagnostic.appVersion)
    else { return false }
    switch (own.kind, diagnostic.kind) {
    case (.crash, .crash):
      return agree(own.signal, diagnostic.signal.map(DarwinNames.signal)) && agree(own.pid, diagnostic.pid)
    case (.hang, .hang):
      guard let ours = own.durationMs, let theirs = diagnostic.durationMs else { return false }
      return abs(ours - theirs) <= max(500, max(ours, theirs) / 4)
    default: return false
    }
  }

  /// The nearer ones first, when several could be meant.
  private static func distance(_ own: Own, _ diagnostic: MetricKitDiagnostic) -> Double {
    abs((own.durationMs ?? 0) - (diagnostic.durationMs ?? 0))
  }

  private static func agree<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
    guard let one, let other else { return true }
    return one == other
  }
}

extension KnownReports.Own {
  /// What the journal's event says, when it is one of a crash or a hang and not itself MetricKit's.
  init?(_ payload: [UInt8], appVersion: String?) {
    let json = Data(payload)
    guard
      json.starts(with: Data(#"{"eventType":"crash""#.utf8)) || json.starts(with: Data(#"{"eventType":"hang""#.utf8))
    else { return nil }
    guard let event = try? JSONDecoder().decode(Event.self, from: json), event.report?.kind != "metrickit" else {
      return nil
    }
    let isCrash = event.eventType == "crash"
    kind = isCrash ? .crash : .hang
    id = event.report?.reportId ?? "\(event.eventType) \(event.timestamp)"
    time = event.timestamp
    self.appVersion = event.appVersion ?? appVersion
    signal = isCrash ? event.report?.signal?.name : nil
    pid = event.report?.process?.pid
    durationMs = event.durationMs
  }

  private struct Event: Decodable {
    struct Report: Decodable {
      struct Signal: Decodable { var name: String? }
      struct Process: Decodable { var pid: Int? }
      var reportId: String?
      var kind: String?
      var signal: Signal?
      var process: Process?
    }
    var eventType: String
    var timestamp: Int64
    var durationMs: Double?
    var appVersion: String?
    var report: Report?
  }
}
