/// An error of a session that may be told in a list of sessions.
struct FailureCandidate: Sendable {
  enum Rank { static let (worst, told, hang, request, log) = (0, 1, 2, 3, 4) }

  /// Longer ones are cut, in characters.
  private static let longest = 120
  /// Looked at of one session: so many from its first error on, and so many up to its last. A crash is the last.
  static let (early, late) = (20, 10)
  /// Longer events are not opened, in bytes: logs, and failures with their stacks.
  static let longestEvent = 256 << 10

  var event: Int64
  var type: String
  private(set) var title: String?
  private let issue: String?
  private let rank: Int
  /// What it says is in the event only.
  var hasWords: Bool { type == "log" || type == "handled_exception" }

  /// What else is known of the event.
  struct Facts: Sendable {
    /// By which its issue is told from others.
    var issue: String?
    var cause: String?
    var culprit: String?
    var method: String?
    var path: String?
    var status: Int64?
    /// Of a request, in the place of these three.
    var request: String?
  }

  init(event: Int64, type: String, _ facts: Facts) {
    self.event = event
    self.type = type
    issue = facts.issue
    switch type {
    case "crash":
      (rank, title) = (Rank.worst, facts.culprit.map { "Crash in \($0)" } ?? "Crash: \(facts.cause ?? "unknown")")
    case "handled_exception": (rank, title) = (Rank.told, facts.cause ?? "Handled exception")
    case "hang": (rank, title) = (Rank.hang, facts.culprit.map { "Hang in \($0)" } ?? "Hang")
    case "network_request":
      (rank, title) = (Rank.request, facts.request ?? Self.request(facts.method, facts.path, facts.status))
    default: (rank, title) = (Rank.log, nil)
    }
  }

  /// Of a session's, in the order of time, each in its words once: those that are told.
  static func chosen(of candidates: [FailureCandidate]) -> [FailureCandidate] {
    var all: [FailureCandidate] = []
    for candidate in candidates where !all.contains(where: { $0.isLike(candidate) }) { all.append(candidate) }
    // What is more telling counts; of what is as telling, the later: it is nearer to the end.
    let best = all.enumerated().sorted { ($0.element.rank, -$0.offset) < ($1.element.rank, -$1.offset) }
    let least = best.first?.element.rank ?? 0
    return best.prefix(SessionFailure.most).filter { $0.element.rank == least || $0.element.rank < Rank.request }
      .sorted { $0.offset < $1.offset }.map(\.element)
  }

  /// Takes over what the app said of it.
  mutating func say(_ words: String?) { if let words { title = words } }

  /// What the app said of an event of such a type; nil: nothing.
  static func words(_ type: String, _ message: String?, _ custom: String?, _ error: String?) -> String? {
    let parts = (type == "log" ? [message] : [custom, error]).compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  static func request(_ method: String?, _ path: String?, _ status: Int64?) -> String {
    "\(method ?? "Request") \(path ?? "")\(status.map { ": \($0)" } ?? " failed")"
  }

  /// More of a text is not read.
  static func shortened(_ text: String) -> String { String(text.prefix(500)) }

  /// Whether it would be told in the same words.
  private func isLike(_ other: FailureCandidate) -> Bool {
    issue != nil ? issue == other.issue : title != nil && type == other.type && title == other.title
  }

  var failure: SessionFailure? {
    guard let title, !title.isEmpty else { return nil }
    let line = title.split(whereSeparator: \.isNewline).first.map(String.init) ?? title
    let isLong = line.count > Self.longest
    return SessionFailure(event: event, type: type, title: isLong ? line.prefix(Self.longest) + "…" : line)
  }
}
