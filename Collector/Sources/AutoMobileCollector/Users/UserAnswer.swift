/// One person, as the API gives them out: what their sessions add up to.
struct UserAnswer: Sendable {
  /// A problem that this person had.
  struct Issue: Sendable {
    var name: String
    var kind: String
    var title: String
    var count: Int64
    var sessions: Int64
    var last: Int64
    var status: String
  }

  private struct Tally: Summable {
    var count: Int64 = 0
    /// When it was last seen.
    var last: Int64 = 0

    mutating func add(_ other: Tally) {
      count += other.count
      last = max(last, other.last)
    }
  }

  private enum Trait: String, CaseIterable { case apps, versions, devices, systems, tags }

  /// Sessions of which the sums are made, the newest ones.
  static let most = 5000
  private static let listed = 30

  let name: String
  private(set) var sessions: Int64 = 0
  private var crashed: Int64 = 0
  private var events: Int64 = 0
  private var errors: Int64 = 0
  private var first: Int64?
  private var last: Int64?
  private var traits: [Trait: NamedSums<String, Tally>] = [:]
  var isPartial = false
  var issues: [Issue] = []
  /// When the issues are those of fewer sessions than were added up.
  var issueSessions: Int64?

  init(name: String) { self.name = name }

  /// A session of this person.
  struct Session {
    var app: String?
    var version: String?
    var device: String?
    var system: String?
    var tags: String?
    var first: Int64?
    var last: Int64?
    var events: Int64
    var errors: Int64
    var hasCrashed: Bool
  }

  mutating func add(_ session: Session) {
    let at = session.last ?? 0
    sessions += 1
    events += session.events
    errors += session.errors
    if session.hasCrashed { crashed += 1 }
    if let begin = session.first { first = min(first ?? begin, begin) }
    last = max(last ?? at, at)
    let values = [
      (Trait.apps, session.app), (.versions, session.version), (.devices, session.device), (.systems, session.system),
    ]
    for case (let trait, let value?) in values where !value.isEmpty { add(value, to: trait, at: at) }
    var tags = session.tags ?? "{}"
    let tree = tags.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 4) }
    guard case .object(let members)? = tree else { return }
    for (key, value) in members { add("\(key)=\(value.string ?? value.text)", to: .tags, at: at) }
  }

  private mutating func add(_ value: String, to trait: Trait, at: Int64) {
    traits[trait, default: NamedSums()][String(value.prefix(200))].add(Tally(count: 1, last: at))
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("userId", name)
    json.member("sessions", sessions)
    json.member("crashed", crashed)
    json.member("events", events)
    json.member("errors", errors)
    json.member("first", first)
    json.member("last", last)
    if isPartial { json.member("partial", true) }
    if let issueSessions { json.member("issueSessions", issueSessions) }
    for trait in Trait.allCases {
      var list = traits[trait]?.listed ?? .init()
      // The one in use comes first.
      list.sort(first: Self.listed) { ($0.sums.last, $0.sums.count, $1.name) > ($1.sums.last, $1.sums.count, $0.name) }
      json.array(trait.rawValue) {
        for (value, tally) in list.listed {
          $0.object {
            $0.member("name", value)
            $0.member("sessions", tally.count)
            $0.member("last", tally.last)
          }
        }
      }
    }
    json.array("issues") {
      for issue in issues {
        $0.object {
          $0.member("id", issue.name)
          $0.member("kind", issue.kind)
          $0.member("title", issue.title)
          $0.member("count", issue.count)
          $0.member("sessions", issue.sessions)
          $0.member("last", issue.last)
          $0.member("status", issue.status)
        }
      }
    }
  }
}
