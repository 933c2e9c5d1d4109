import AutoMobileJournal
import Crypto
import Foundation
import NIOCore

/// What one request brings, gathered by app, as deliveries for the ingest log.
///
/// A record is named by what it is: a span by its trace and its own id, a log record by the request's bytes and its place in
/// them. So what is sent again with the same bytes, as OpenTelemetry's exporters do, is stored once; and a span once, however
/// it is sent.
struct IncomingBatches {
  /// One delivery, and whose it is.
  struct Delivery: Sendable {
    var owner: DataOwner
    var batch: CheckedBatch
  }

  let limits: CollectorLimits
  /// When the request came, in milliseconds since 1970.
  let received: Int64
  /// What this collector calls itself.
  let collector: String
  private let request: UInt64
  /// Who a service is, or why whoever sends may not deliver for it.
  private let admit: (String?) throws -> DeliveringApp
  private var apps: [App] = []
  private var indices: [DeliveringApp: Int] = [:]
  private var current = 0
  private var contextBytes = 0
  private(set) var refusal: APIError?
  /// Why the last resource was not opened.
  private(set) var closed = ""
  private(set) var rejected = Rejections()
  private(set) var deliveries: [Delivery] = []
  /// The event at hand; one allocation for all.
  private var json = EventBytes()
  private(set) var records = 0

  /// Services in one request.
  static let mostApps = 100
  /// After so many bytes a delivery is complete.
  private static let deliveryBytes = 4 << 20

  private struct App {
    var app: DeliveringApp
    var launch: LaunchID
    var codec: RecordCodec
    var bytes: [UInt8] = []
    var events = 0
    var records = 0
    var positions: ClosedRange<UInt64>?
    /// What has been said in this delivery.
    var contexts: [Context: Int64] = [:]

    init(_ app: DeliveringApp) {
      self.app = app
      launch = SyntheticNames.launch(bundleId: "otlp \(app.bundleId ?? "")")
      codec = RecordCodec(launch: launch)
    }
  }

  private struct Context: Hashable {
    var resource: Int
    var session: String
    var user: String?
  }

  init(
    _ body: ByteBuffer, limits: CollectorLimits, received: Int64, collector: String = "",
    admit: @escaping (String?) throws -> DeliveringApp
  ) {
    self.admit = admit
    self.limits = limits
    self.received = received
    self.collector = collector
    request = body.withUnsafeReadableBytes { bytes in
      Crypto.SHA256.hash(data: bytes).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
  }

  // MARK: Taking in

  /// What follows comes from this resource; false when whoever sends may not deliver for it, or it went in a circle.
  mutating func open(_ resource: IncomingResource) -> Bool {
    if let reason = resource.trail.refusal(by: collector) {
      // No error: whoever forwards would take it for one of the whole request, and stop.
      closed = reason
      return false
    }
    do {
      let app = try admit(resource.service)
      if let known = indices[app] {
        current = known
      } else {
        guard apps.count < Self.mostApps else {
          let error = APIError.tooLarge("more than \(Self.mostApps) services in one request")
          (refusal, closed) = (error, error.message)
          return false
        }
        apps.append(App(app))
        current = apps.count - 1
        indices[app] = current
      }
      return true
    } catch {
      refusal = error as? APIError
      closed = refusal?.message ?? "not for this app"
      return false
    }
  }

  mutating func reject(_ reason: String, count: Int = 1) {
    guard count > 0 else { return }
    rejected.add(count, reason)
  }

  /// The number of the context of a session; nil when there are too many in this request.
  mutating func context(
    _ resource: IncomingResource, number: Int, session: String?, user: String?, timestamp: Int64
  ) -> Int64? {
    let session = session ?? resource.session ?? resource.fallbackSession(at: timestamp)
    let key = Context(resource: number, session: session, user: user)
    if let known = apps[current].contexts[key] { return known }
    guard contextBytes < limits.otlpContextBytes else { return nil }
    var bytes = EventBytes()
    let bundleId = apps[current].app.bundleId
    resource.context(session: session, user: user, bundleId: bundleId, into: &bytes, number: nil)
    // Equal ones have equal numbers, in every request: their name is their contents'.
    let id = Int64(bytes.bytes.withUnsafeBytes { SyntheticNames.hash($0, seed: 4) } >> 2)
    bytes.clear()
    resource.context(session: session, user: user, bundleId: bundleId, into: &bytes, number: id)
    append(.context, UInt64(id), bytes.bytes)
    contextBytes += bytes.bytes.count
    apps[current].contexts[key] = id
    return id
  }

  /// Adds the event that `write` makes.
  ///
  /// - Parameter name: what it is known by; nil: by the request and its place in it.
  mutating func add(name: UInt64? = nil, _ write: (inout EventBytes) -> Void) {
    json.clear()
    write(&json)
    records += 1
    guard json.bytes.count <= limits.eventBytes else {
      return rejected.add(1, "the record is longer than \(limits.eventBytes) bytes")
    }
    let position = name ?? Self.name(request, UInt64(truncatingIfNeeded: records))
    append(.event, position, json.bytes)
    apps[current].events += 1
    let positions = apps[current].positions ?? position...position
    apps[current].positions = min(positions.lowerBound, position)...max(positions.upperBound, position)
  }

  private mutating func append(_ kind: RecordKind, _ position: UInt64, _ payload: [UInt8]) {
    let codec = apps[current].codec
    apps[current].records += 1
    payload.withUnsafeBytes { _ = codec.append(kind: kind, position: position, payload: $0, to: &apps[current].bytes) }
  }

  /// Of two numbers, in the range of names that are made of contents: see ``SyntheticNames``.
  static func name(_ first: UInt64, _ second: UInt64, _ third: UInt64 = 0) -> UInt64 {
    withUnsafeBytes(of: (first, second, third)) { SyntheticNames.hash($0, seed: 5) } >> 2 | 1 << 62
  }

  /// Closes the delivery at hand when it is large; between two records.
  mutating func breathe() throws {
    if apps[current].bytes.count >= Self.deliveryBytes { try close(current) }
  }

  // MARK: Giving out

  /// Closes what is open. Called once, at the end.
  mutating func finish() throws {
    for index in apps.indices { try close(index) }
  }

  private mutating func close(_ index: Int) throws {
    let app = apps[index]
    guard app.events > 0 else { return }
    let header = BatchHeader(
      launchId: app.launch, from: app.positions?.lowerBound ?? 0, to: (app.positions?.upperBound ?? 0) + 1,
      bundleId: app.app.bundleId, sdkVersion: nil, sentAt: received, ledger: nil)
    var body = ByteBuffer(bytes: try header.encoded())
    body.writeBytes(app.bytes)
    let batch = CheckedBatch(
      launch: app.launch, bundleId: app.app.bundleId, body: body, events: app.events, records: app.records)
    deliveries.append(Delivery(owner: app.app.owner, batch: batch))
    apps[index] = App(app.app)
  }

  /// Records that were not taken, and why, in a few words.
  struct Rejections: Sendable, Equatable {
    private(set) var count = 0
    private var reasons: [(reason: String, count: Int)] = []

    static func == (left: Rejections, right: Rejections) -> Bool {
      left.count == right.count && left.message == right.message
    }

    mutating func add(_ count: Int, _ reason: String) {
      self.count += count
      if let known = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[known].count += count
      } else if reasons.count < 8 {
        reasons.append((reason, count))
      }
    }

    var message: String { reasons.map { "\($0.count): \($0.reason)" }.joined(separator: "; ") }
  }
}
