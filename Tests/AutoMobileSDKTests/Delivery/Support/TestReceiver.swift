import AutoMobileJournal
import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// A receiver of events over real HTTP, with a store that keeps each event once, and an eye for broken promises.
final class TestReceiver: Sendable {
  enum Dialect: Sendable {
    /// AutoMobile's own receiver: the envelope only, and no word about formats.
    case envelopeOnly
    /// Our collector as it was before it knew a dictionary.
    case gzipOnly
    /// Our collector: both, and it says so.
    case both
  }

  struct Store {
    /// The events' JSON by launch and position.
    var events: [LaunchID: [UInt64: String]] = [:]
    var ledgers: [LaunchID: LaunchLedger] = [:]
    var duplicates = 0
    /// Requests that were taken, by format.
    var taken: [DeliveryFormat: Int] = [:]
    /// Whatever a sender must not do.
    var violations: [String] = []
    /// How often bodies came compressed, by how.
    var codings: [String: Int] = [:]
    /// The launches in the order in which their first events came.
    var order: [LaunchID] = []
  }

  /// What to do instead of taking a request, or after it.
  enum Mood: Sendable {
    case take
    case instead(ScriptedAnswer)
    /// Stores it, but the answer never arrives.
    case takeAndSay(ScriptedAnswer)
  }

  private let state: Locked<Store>
  private let server: HTTPTestServer

  var store: Store { state.withLock { $0 } }
  var port: UInt16 { server.port }
  var url: URL { server.url }
  var requests: [ReceivedRequest] { server.requests }

  /// How a receiver differs from one that works.
  struct Traits: Sendable {
    var isUp = true
    /// What it speaks, by the number of the post, from 0 on.
    var dialect: @Sendable (Int) -> Dialect = { _ in .both }
    /// Bodies above this many bytes are answered with 413.
    var limit = 1_000_000
    /// Events that are not taken, and named in the answer.
    var rejects: @Sendable (String) -> Bool = { _ in false }
    /// Events for which the whole batch is refused with 400.
    var chokesOn: @Sendable (String) -> Bool = { _ in false }
    /// What happens to a post, by its number.
    var mood: @Sendable (Int) -> Mood = { _ in .take }
  }

  convenience init(_ dialect: Dialect = .both, mood: @escaping @Sendable (Int) -> Mood = { _ in .take }) throws {
    try self.init { traits in
      traits.dialect = { _ in dialect }
      traits.mood = mood
    }
  }

  init(_ change: (inout Traits) -> Void) throws {
    var traits = Traits()
    change(&traits)
    let state = Locked(Store())
    let count = Locked(0)
    self.state = state
    server = try HTTPTestServer(isUp: traits.isUp) { [traits] request in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      guard request.method == "POST", request.path == "/sdk-events" else { return .json(404, #"{"ok":false}"#) }
      switch traits.mood(number) {
      case .take: return state.withLock { $0.take(request, traits.dialect(number), traits) }
      case .instead(let answer): return answer
      case .takeAndSay(let answer):
        _ = state.withLock { $0.take(request, traits.dialect(number), traits) }
        return answer
      }
    }
  }

  func goUp() throws { try server.goUp() }
  func stop() { server.stop() }
}

extension TestReceiver.Dialect {
  func answer(_ status: Int, _ body: String) -> ScriptedAnswer {
    switch self {
    case .envelopeOnly: .json(status, body)
    case .both, .gzipOnly: .json(status, headers: ["Accept-Post": offer], body)
    }
  }

  private var offer: String {
    "application/json, \(BatchHeader.mediaType)" + (self == .both ? ";dictionary=\(BatchDictionary.name)" : "")
  }
}

extension TestReceiver.Store {
  /// Why a request is refused.
  private struct Problem: Error {
    var status: Int
    var message: String
    /// A sender that does it right never gets this answer.
    var isViolation = true
  }

  mutating func take(
    _ request: ReceivedRequest, _ dialect: TestReceiver.Dialect, _ traits: TestReceiver.Traits
  ) -> ScriptedAnswer {
    do {
      guard request.body.count <= traits.limit else {
        throw Problem(status: 413, message: "too large", isViolation: false)
      }
      var body = Array(request.body)
      if let coding = request.headers["content-encoding"] {
        guard dialect == .both || dialect == .gzipOnly && coding == "gzip" else {
          throw Problem(status: 415, message: "no \(coding)", isViolation: false)
        }
        guard let plain = plain(body, coding: coding) else { throw Problem(status: 400, message: "bad \(coding)") }
        body = plain
        codings[coding, default: 0] += 1
      }
      let format: DeliveryFormat
      switch request.headers["content-type"] {
      case "application/json": format = .envelope
      case BatchHeader.mediaType where dialect != .envelopeOnly: format = .journal
      default: throw Problem(status: 415, message: "unknown content type", isViolation: false)
      }
      let batch = format == .journal ? try Self.raw(body) : try Self.envelope(body)
      guard !batch.events.contains(where: { traits.chokesOn($0.json) }) else {
        throw Problem(status: 400, message: "cannot read an event", isViolation: false)
      }
      taken[format, default: 0] += 1
      return dialect.answer(200, keep(batch, traits.rejects))
    } catch let problem as Problem {
      if problem.isViolation { violations.append(problem.message) }
      return dialect.answer(problem.status, #"{"ok":false,"error":{"code":"bad","message":"\#(problem.message)"}}"#)
    } catch {
      violations.append("\(error)")
      return dialect.answer(400, #"{"ok":false,"error":{"code":"bad","message":"unreadable"}}"#)
    }
  }

  private struct Batch {
    var launch: LaunchID
    var ledger: LaunchLedger?
    var events: [(position: UInt64, json: String)] = []
  }

  private mutating func keep(_ batch: Batch, _ rejects: (String) -> Bool) -> String {
    var rejected: [String] = []
    var accepted = 0
    if !order.contains(batch.launch), !batch.events.isEmpty { order.append(batch.launch) }
    for (position, json) in batch.events {
      if rejects(json) {
        rejected.append(#"{"sequence":\#(position),"reason":"not wanted"}"#)
      } else if let known = events[batch.launch]?[position] {
        duplicates += 1
        if known != json { violations.append("\(position) came with other contents") }
      } else {
        events[batch.launch, default: [:]][position] = json
        accepted += 1
      }
    }
    if let ledger = batch.ledger {
      if ledgers[batch.launch]?.final == true, !ledger.final { violations.append("a ledger after the final one") }
      ledgers[batch.launch] = ledger
    }
    return #"{"ok":true,"accepted":\#(accepted),"rejected":[\#(rejected.joined(separator: ","))]}"#
  }

  private static func raw(_ body: [UInt8]) throws -> Batch {
    try body.withUnsafeBytes { bytes in
      let (header, start) = try BatchHeader.split(bytes)
      var batch = Batch(launch: header.launchId, ledger: header.ledger)
      let codec = RecordCodec(launch: header.launchId)
      var offset = start
      var last: UInt64?
      var contexts: [UInt64: ContextExpander.Members] = [:]
      while offset < bytes.count {
        guard case .record(let kind, let position, let payload, let next) = codec.parse(bytes, at: offset) else {
          throw Problem(status: 400, message: "no record at \(offset)")
        }
        guard position >= header.from, position < header.to, position > last ?? 0 || last == nil else {
          throw Problem(status: 400, message: "\(position) is out of order or of \(header.from)..<\(header.to)")
        }
        last = position
        offset = next
        let json = UnsafeRawBufferPointer(rebasing: bytes[payload])
        switch kind {
        case .context:
          guard let members = ContextExpander.Members(contextRecord: json) else {
            throw Problem(status: 400, message: "not a context")
          }
          contexts[members.id] = members
        case .event, .eventAndBreadcrumb:
          if let id = ContextReference(in: json)?.id, contexts[id] == nil {
            throw Problem(status: 400, message: "the context \(id) is not in the body")
          }
          var expanded: [UInt8] = []
          ContextExpander.append(json, to: &expanded) { contexts[$0] }
          batch.events.append((position, String(decoding: expanded, as: UTF8.self)))
        default: break
        }
      }
      return batch
    }
  }

  private struct Envelope: Decodable {
    struct Event: Decodable {
      var eventType: String
      var payload: Data
      var sequence: UInt64
    }
    var bundleId: String?
    var events: [Event]
    var timestamp: Int64
    var launchId: LaunchID
    var ledger: LaunchLedger?
  }

  private static func envelope(_ body: [UInt8]) throws -> Batch {
    guard body.count < 1_000_000 else { throw Problem(status: 413, message: "too large") }
    let envelope = try JSONDecoder().decode(Envelope.self, from: Data(body))
    return Batch(
      launch: envelope.launchId, ledger: envelope.ledger,
      events: envelope.events.map { ($0.sequence, String(decoding: $0.payload, as: UTF8.self)) })
  }
}
