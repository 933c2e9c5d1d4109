/// What a `session_summary` event says of its session, as far as it can be believed: a stranger may have written it.
///
/// A member of the wrong type, or with a number that cannot be, is passed over as if it were not there. Without a session, a
/// revision and its times it is no summary: the event is stored, and changes nothing else.
struct SessionSummary: Equatable {
  /// Told apart of one summary.
  static let (mostTypes, mostScreens) = (64, 50)
  /// The SDK writes 1 KB and a context.
  static let maximumSize = 64 << 10
  /// Of times, in milliseconds since 1970: what a query may ask for.
  static let latest: Int64 = 99_999_999_999_999
  private static let mostCount: Int64 = 1_000_000_000
  private static let mostBytes: Int64 = 1 << 50
  private static let mostDays: Int64 = 3650
  private static let longestLaunch = 86_400_000.0

  /// By which of two is the later one.
  var revision: Int64
  var startedAt: Int64
  var endedAt: Int64
  var isFinal = false
  /// `ended`, `crash` …; nil while it goes on.
  var end: String?
  /// Without summaries.
  var counts: [String: Int64] = [:]
  var screens: [String] = []
  var screenVisits: Int64 = 0
  /// Microseconds.
  var launchTime: Int64?
  var launchKind = ""
  var slowFrames: Int64 = 0
  var frozenFrames: Int64 = 0
  /// `2xx`, `4xx` …; `none` are those without an answer.
  var requests: [String: Int64] = [:]
  var errors: Int64 = 0
  var crashes: Int64 = 0
  /// The most memory that its process was seen to use, and the least that was left to it, in bytes; nil: nobody looked, or there was no
  /// limit.
  var memoryPeak: Int64?
  var memoryLeft: Int64?
  /// How often the system said that memory was short.
  var memoryWarnings: Int64 = 0
  /// What its launch keeps on the device.
  var kept = Kept()

  struct Kept: Equatable {
    var events: Int64 = 0
    /// The room that it takes up there, in bytes.
    var bytes: Int64 = 0
    /// Milliseconds since 1970.
    var until: Int64?

    init() {}

    /// - Parameter summary: says for how many days from when it was made, or until when.
    init(_ summary: JSONTree) {
      guard let events = SessionSummary.count(summary["keptEvents"]), events > 0 else { return }
      self.events = events
      bytes = SessionSummary.bytes(summary["keptBytes"]) ?? 0
      var until = summary["keptUntil"]?.integer
      if let days = summary["keptDays"]?.integer, (0...SessionSummary.mostDays).contains(days),
        let made = summary["timestamp"]?.integer, (0...SessionSummary.latest).contains(made)
      {
        until = made + days * HealthFilter.day
      }
      self.until = until.flatMap { (0...SessionSummary.latest).contains($0) ? $0 : nil }
    }
  }

  /// Everything that was recorded in it.
  var events: Int64 { counts.values.reduce(0, +) }

  /// What the collector would count as errors, if it had the events: ``EventTypes/isError(_:_:)``. Of requests without an answer
  /// nobody knows whether the app called them off.
  var failures: Int64 {
    let told = ["hang", "handled_exception"].reduce(errors) { $0 + (counts[$1] ?? 0) }
    return told + allCrashes + (requests["4xx"] ?? 0) + (requests["5xx"] ?? 0)
  }

  /// Told by the session itself, or afterwards.
  var allCrashes: Int64 { max(crashes, counts["crash"] ?? 0) }

  /// - Returns: nil when it is no summary.
  init?(_ payload: UnsafeRawBufferPointer) {
    guard payload.count <= Self.maximumSize, let tree = try? JSONTree(checking: payload, maximumDepth: 16),
      let revision = tree["revision"]?.integer, revision > 0, let started = tree["startedAt"]?.integer,
      let ended = tree["endedAt"]?.integer, (0...ended).contains(started), ended <= Self.latest
    else { return nil }
    self.revision = revision
    startedAt = started
    endedAt = ended
    isFinal = tree["isFinal"]?.bool ?? false
    end = isFinal ? Self.text(tree["end"], 40) : nil
    for (type, count) in tree["events"]?.members.sorted(by: { $0.key < $1.key }) ?? [] {
      guard counts.count < Self.mostTypes, type.utf8.count <= EventFields.maximumName, type != EventTypes.summary,
        !type.hasControlCharacters, let count = Self.count(count), count > 0
      else { continue }
      counts[type] = count
    }
    screens = (tree["screens"]?.elements.prefix(Self.mostScreens) ?? []).compactMap { Self.text($0, 200) }
    screenVisits = Self.count(tree["screenVisits"]) ?? 0
    if let time = tree["launchMs"]?.number, (0...Self.longestLaunch).contains(time) {
      launchTime = Int64((time * 1000).rounded())
    }
    launchKind = Self.text(tree["launchKind"], 40) ?? ""
    slowFrames = Self.count(tree["slowFrames"]) ?? 0
    frozenFrames = Self.count(tree["frozenFrames"]) ?? 0
    for status in Self.statuses {
      if let count = Self.count(tree["requests"]?[status]), count > 0 { requests[status] = count }
    }
    errors = Self.count(tree["errors"]) ?? 0
    crashes = Self.count(tree["crashes"]) ?? 0
    memoryPeak = Self.bytes(tree["memoryPeak"])
    memoryLeft = Self.bytes(tree["memoryLeft"])
    memoryWarnings = Self.count(tree["memoryWarnings"]) ?? 0
    kept = Kept(tree)
  }

  /// In the order in which they are told.
  static let statuses = (1...9).map { "\($0)xx" } + ["none"]

  private static func count(_ value: JSONTree?) -> Int64? {
    value?.integer.flatMap { (0...mostCount).contains($0) ? $0 : nil }
  }

  private static func bytes(_ value: JSONTree?) -> Int64? {
    value?.integer.flatMap { (0...mostBytes).contains($0) ? $0 : nil }
  }

  static func text(_ value: JSONTree?, _ longest: Int) -> String? {
    value?.string.flatMap { $0.isEmpty || $0.hasControlCharacters ? nil : String($0.prefix(longest)) }
  }

  static func json(_ counts: [String: Int64]) -> String {
    var json = JSONOutput()
    json.object { for (name, count) in counts.sorted(by: { $0.key < $1.key }) { $0.member(name, count) } }
    return String(buffer: json.buffer)
  }

  static func json(_ texts: [String]) -> String {
    var json = JSONOutput()
    json.array { for text in texts { $0.string(text) } }
    return String(buffer: json.buffer)
  }
}
