import Foundation
import GRDB

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

    init(_ row: Row) {
      name = row[0]
      kind = row[1]
      title = IssueText.title(template: row[2], cause: row[3], culprit: row[4])
      count = row[5]
      sessions = row[6]
      last = row[7]
      status = row[8]
    }
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

  /// Adds a session: its row, app, version, device, system, tags, first, last, events, errors, and whether it crashed.
  mutating func add(_ row: Row) {
    let at: Int64 = row[7] ?? 0
    sessions += 1
    events += row[8] as Int64
    errors += row[9] as Int64
    if row[10] { crashed += 1 }
    if let begin: Int64 = row[6] { first = min(first ?? begin, begin) }
    last = max(last ?? at, at)
    for (trait, column) in [(Trait.apps, 1), (.versions, 2), (.devices, 3), (.systems, 4)] {
      if let value: String = row[column], !value.isEmpty { add(value, to: trait, at: at) }
    }
    var tags: String = row[5] ?? "{}"
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
