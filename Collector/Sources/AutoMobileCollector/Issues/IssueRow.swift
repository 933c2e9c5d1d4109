/// One issue as the API gives it out.
struct IssueRow: Weighed, Sendable {
  var row: Int64
  var name: String
  var kind: String
  var bundleId: String?
  var cause: String
  var culprit: String?
  var message: String?
  var file: String?
  var line: Int64?
  var template: String?
  var events: Int64
  var first: Int64?
  var last: Int64?
  var sample: Int64?
  var longest: Double?
  var state: State?
  var assignee: String?
  var link: String?
  var sessions: Int64 = 0
  var versions: [(version: String, count: Int64)] = []
  var daily: [Int64] = []
  var hourly: [Int64] = []
  /// What else of it was found: a function, a user.
  var match: SearchMatch?

  /// What people decided.
  struct State: Sendable {
    var status: String
    var version: String?
    var changedAt: Int64
    var changedBy: String
    var regressedAt: Int64?
    var regressedIn: String?
  }

  /// What happened.
  var title: String { IssueText.title(template: template, cause: cause, culprit: culprit) }
  /// Type and function where the title is a message; else what the report said.
  var subtitle: String? { template == nil ? message : IssueText.place(cause: cause, culprit: culprit) }

  var weight: Int {
    1000 + (template?.utf8.count ?? 0) + (assignee?.utf8.count ?? 0) + (link?.utf8.count ?? 0) + cause.utf8.count
      + (culprit?.utf8.count ?? 0) + (message?.utf8.count ?? 0) + (file?.utf8.count ?? 0)
      + versions.reduce(0) { $0 + $1.version.utf8.count + 12 }
  }

  /// Where a page that ends with this one ends.
  func cursor(_ order: IssueQuery.Order) -> PageCursor {
    let key: Int64? =
      switch order {
      case .last: last
      case .first: first
      case .count: events
      case .sessions: sessions
      }
    return PageCursor(key: key ?? 0, id: row)
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("id", name)
    json.member("kind", kind)
    json.member("title", title)
    json.member("subtitle", subtitle)
    // Of its newest report, whole.
    json.member("message", message)
    json.member("cause", cause)
    json.member("culprit", culprit)
    json.member("file", file)
    json.member("line", line)
    json.member("bundleId", bundleId)
    json.member("status", state?.status ?? IssueStatus.open.rawValue)
    if let state {
      state.version.map(IssueStates.Fix.init)?.write(to: &json)
      json.member("changedAt", state.changedAt)
      json.member("changedBy", state.changedBy)
      json.member("regressedAt", state.regressedAt)
      json.member("regressedIn", state.regressedIn)
    }
    json.member("assignee", assignee)
    json.member("link", link)
    json.member("count", events)
    json.member("sessions", sessions)
    json.member("first", first)
    json.member("last", last)
    json.object("versions") { for (version, count) in versions { $0.member(version, count) } }
    json.member("sample", sample)
    if let longest { json.member("longestMs", number: longest) }
    // Days and hours of 24 and 1 hours back from now, the oldest first.
    json.array("trend") { for count in daily { $0.number(count) } }
    json.array("hours") { for count in hourly { $0.number(count) } }
    match?.write(to: &json)
  }
}
