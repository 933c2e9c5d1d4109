import AutoMobileState
import Foundation

/// Something that is kept on devices and that somebody wants to see: what one session, user, device or version recorded in some time.
struct Ask: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    case session
    /// By the name that the app gave.
    case user
    /// An installation, by the `anonymousId` that the SDK made.
    case device
    case appVersion
  }

  enum State: String, Sendable, CaseIterable {
    /// No app that it concerns has heard of it yet.
    case asked
    /// An app has taken a configuration that names it.
    case onItsWay = "on_its_way"
    /// Events of the time that is asked for have arrived since. More may follow, as long as it stands.
    case came
    /// It is told to nobody any more; see ``Ask/End``.
    case gone
  }

  enum End: String, Sendable, CaseIterable {
    /// The device keeps nothing of it any more.
    case expired
    case withdrawn
    /// It has stood for as long as one may.
    case over
  }

  var id: Int64
  var bundle: String
  var kind: Kind
  /// As apps say it: what their contexts are compared with.
  var subject: String
  /// Of a session: its id in the index, by which pages name it.
  var session: String?
  /// Milliseconds since 1970, the bounds included; nil: without one.
  var from: Int64?
  var to: Int64?
  var reason: String
  var askedBy: String
  var askedAt: Int64
  /// Until then it stands, whatever comes.
  var endsAt: Int64
  var state: State
  var end: End?
  /// When the state became what it is, and who made it so when it was somebody.
  var changedAt: Int64
  var changedBy: String?
  /// When an app heard of it first.
  var toldAt: Int64?
  /// When the first of its events arrived, and how many have.
  var cameAt: Int64?
  var events: Int64
  /// The event up to which what arrived has been looked at.
  var seen: Int64

  var isOpen: Bool { state != .gone }

  /// Whether an event's time is one that is asked for.
  func admits(_ time: Int64) -> Bool { time >= from ?? .min && time <= to ?? .max }

  /// As it stands in an app's configuration. Why it is asked for is the business of those who ask, and stays here.
  func told(by issuer: String) -> JSONTree {
    var members: [String: JSONTree] = ["id": .string(name(by: issuer)), kind.rawValue: .string(subject)]
    members["from"] = from.map { .integer($0) }
    members["to"] = to.map { .integer($0) }
    return .object(members)
  }

  /// What devices know it by. Neither somebody who writes a document by hand takes such a name, nor does a collector that has lost its
  /// data, and counts from one again: a device would take a new ask for one that it has answered.
  func name(by issuer: String) -> String { "\(issuer.prefix(8))-\(id)" }

  func writeMembers(to json: inout JSONOutput) {
    json.member("id", id)
    json.member("bundleId", bundle)
    json.member("kind", kind.rawValue)
    json.member("subject", session ?? subject)
    json.member("from", from)
    json.member("to", to)
    json.member("reason", reason)
    json.member("askedBy", askedBy)
    json.member("askedAt", askedAt)
    json.member("endsAt", endsAt)
    json.member("state", state.rawValue)
    json.member("gone", end?.rawValue)
    json.member("changedAt", changedAt)
    json.member("changedBy", changedBy)
    json.member("toldAt", toldAt)
    json.member("cameAt", cameAt)
    json.member("events", events)
  }
}

extension Ask {
  static let columns: StateSQL = """
    id, bundleId, kind, subject, session, fromTime, toTime, reason, askedBy, askedAt, endsAt, state, gone, changedAt, changedBy,
    toldAt, cameAt, events, seen
    """

  /// Nil: a newer collector wrote it.
  init?(_ row: StateRow) throws {
    guard let kind = Kind(rawValue: try row[2]), let state = State(rawValue: try row[11]) else { return nil }
    let end: String? = try row[12]
    try self.init(
      id: row[0], bundle: row[1], kind: kind, subject: row[3], session: row[4], from: row[5], to: row[6],
      reason: row[7], askedBy: row[8], askedAt: row[9], endsAt: row[10], state: state,
      end: end.flatMap(End.init(rawValue:)), changedAt: row[13], changedBy: row[14], toldAt: row[15], cameAt: row[16],
      events: row[17], seen: row[18])
  }
}
