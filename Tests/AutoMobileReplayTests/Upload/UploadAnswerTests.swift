import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// What each answer does at each step, over real connections.
@Suite(.serialized) struct UploadAnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var step: ReplayServer.Step
    var status: Int
    var outcome: SegmentUpload.Outcome?
    var body = "{}"
    var testDescription: String { "\(step) \(status) \(body)" }
  }

  /// Those that one answer decides.
  static let decisive: [Case] = [ReplayServer.Step.presign, .put, .complete].flatMap { step in
    [
      Case(step: step, status: 402, outcome: .quota), Case(step: step, status: 403, outcome: .denied),
      Case(step: step, status: 409, outcome: .closed), Case(step: step, status: 413, outcome: .tooLarge),
      Case(step: step, status: 400, outcome: .rejected, body: code("hash_mismatch")),
      Case(step: step, status: 422, outcome: .rejected, body: code("invalid_kind")),
      Case(step: step, status: 403, outcome: .rejected, body: code("wrong_replay")),
      Case(step: step, status: 400, outcome: .stranger), Case(step: step, status: 405, outcome: .stranger),
      Case(step: step, status: 418, outcome: .stranger, body: "<html>blocked</html>"),
      Case(step: step, status: 200, outcome: .stranger, body: "  <html>log in</html>"),
    ]
  }

  private static func code(_ code: String) -> String { #"{"ok":false,"error":{"code":"\#(code)","message":"m"}}"# }

  private let segment = Segment(
    sessionId: "s", kind: .events, startTime: 1, endTime: 2, count: 2, content: Data("{}\n{}\n".utf8))

  @Test(arguments: decisive)
  func `a decisive answer ends the upload`(_ test: Case) async throws {
    let server = try ReplayServer()
    server.always(test.step, ReplayServer.Answer(status: test.status, body: test.body))
    let waits = Locked<[Int64]>([])
    #expect(await segmentUpload(to: server.url, waits: waits).upload(segment) == test.outcome)
    #expect(server.steps.filter { $0 == test.step }.count == 1)
    #expect(waits.withLock { $0 } == [])
    #expect(server.uploaded.isEmpty)
  }

  @Test(arguments: [ReplayServer.Step.presign, .put, .complete])
  func `429 is waited for as long as it says, and then the step is tried again`(_ step: ReplayServer.Step) async throws
  {
    let server = try ReplayServer()
    server.next(step, [ReplayServer.Answer(status: 429, headers: ["Retry-After": "17"])])
    let waits = Locked<[Int64]>([])
    guard case .uploaded = await segmentUpload(to: server.url, waits: waits).upload(segment) else {
      Issue.record("not uploaded")
      return
    }
    #expect(waits.withLock { $0 } == [17_000])
    #expect(server.uploaded.count == 1)
  }

  @Test(arguments: [429, 503])
  func `whoever asks to be left alone is, by whatever comes after`(_ status: Int) async throws {
    let server = try ReplayServer()
    server.always(.presign, ReplayServer.Answer(status: status, headers: ["Retry-After": "600"]))
    let waits = Locked<[Int64]>([])
    let upload = segmentUpload(to: server.url, waits: waits)
    #expect(await upload.upload(segment) == .later)
    #expect(waits.withLock { $0 } == [600_000, 600_000, 600_000])
    #expect(server.steps.filter { $0 == .presign }.count == SegmentUpload.tries)
    // The last answer holds for the next upload, and for another network.
    await upload.ingest.breaker.retry()
    #expect(await upload.upload(segment) == .later)
    #expect(server.steps.filter { $0 == .presign }.count == SegmentUpload.tries)
  }

  @Test func `a wait that was asked for ends`() async {
    let now = Locked<Int64>(0)
    let breaker = CircuitBreaker { now.withLock { $0 } }
    await breaker.note(429, retryAfter: 600_000)
    #expect(await breaker.isOpen)
    // A shorter one that comes later takes nothing from it, and a network that changes neither.
    await breaker.note(429, retryAfter: 1000)
    await breaker.retry()
    now.withLock { $0 = 599_999 }
    #expect(await !breaker.allows())
    now.withLock { $0 = 600_000 }
    #expect(await breaker.allows())
  }

  @Test(arguments: [ReplayServer.Step.presign, .put, .complete])
  func `a server's failure is tried again after 1, 2 and 4 seconds, and then later`(
    _ step: ReplayServer.Step
  ) async throws {
    let server = try ReplayServer()
    server.always(step, .status(503))
    let waits = Locked<[Int64]>([])
    #expect(await segmentUpload(to: server.url, waits: waits).upload(segment) == .later)
    #expect(waits.withLock { $0 } == [1000, 2000, 4000])
    server.always(step, nil)
    guard case .uploaded = await segmentUpload(to: server.url).upload(segment) else {
      Issue.record("not uploaded")
      return
    }
  }

  @Test func `401 gets a new credential, once`() async throws {
    let server = try ReplayServer()
    server.next(.presign, [.status(401)])
    guard case .uploaded = await segmentUpload(to: server.url).upload(segment) else {
      Issue.record("not uploaded")
      return
    }
    #expect(server.steps.filter { $0 == .auth }.count == 2)
    server.always(.presign, .status(401))
    #expect(await segmentUpload(to: server.url).upload(segment) == .denied)
  }

  struct EndCase: Sendable, CustomTestStringConvertible {
    var answers: [ReplayServer.Answer]
    /// The collector knows, or never wants to: nobody tells it again.
    var isTold = true
    var waits: [Int64] = []
    var requests = 1
    var testDescription: String { answers.map { "\($0.status) \($0.body)" }.joined(separator: ", ") }
  }

  static let ends: [EndCase] =
    [
      EndCase(answers: [ReplayServer.Answer(body: #"{"durationSeconds":12}"#)]),
      EndCase(answers: [ReplayServer.Answer(body: #"{"ignored":true,"reason":"already_ended"}"#)]),
      EndCase(answers: [ReplayServer.Answer(body: #"{"ignored":true,"reason":"nothing_recorded"}"#)]),
      EndCase(answers: [ReplayServer.Answer(body: "no JSON")], isTold: false),
      EndCase(answers: [.status(400)], isTold: false), EndCase(answers: [.status(404)], isTold: false),
      EndCase(answers: [.status(402)], isTold: false), EndCase(answers: [.status(403)], isTold: false),
      EndCase(answers: [ReplayServer.Answer(status: 422, body: code("invalid_endedAt"))]),
      EndCase(answers: [.status(401), .status(200)], requests: 2),
      EndCase(
        answers: [ReplayServer.Answer(status: 429, headers: ["Retry-After": "9"]), .status(200)], waits: [9000],
        requests: 2),
      EndCase(answers: [.status(503), .status(200)], waits: [1000], requests: 2),
      EndCase(
        answers: Array(repeating: .status(500), count: 4), isTold: false, waits: [1000, 2000, 4000], requests: 4),
    ] + [409, 413].map { EndCase(answers: [.status($0)]) }

  @Test(arguments: ends)
  func `the end is told until the collector has decided`(_ test: EndCase) async throws {
    let server = try ReplayServer()
    server.next(.end, test.answers)
    let waits = Locked<[Int64]>([])
    #expect(await segmentUpload(to: server.url, waits: waits).end(["sessionId": "s"]).isTold == test.isTold)
    #expect(waits.withLock { $0 } == test.waits)
    #expect(server.steps.filter { $0 == .end }.count == test.requests)
  }

  @Test(arguments: [ReplayServer.Step.put, .complete])
  func `a segment that the collector has forgotten is presigned again`(_ step: ReplayServer.Step) async throws {
    let server = try ReplayServer()
    server.next(step, [.status(404)])
    guard case .uploaded = await segmentUpload(to: server.url).upload(segment) else {
      Issue.record("not uploaded")
      return
    }
    #expect(server.steps.filter { $0 == .presign }.count == 2)
  }

  @Test func `what the collector has is not sent again`() async throws {
    let server = try ReplayServer()
    let upload = segmentUpload(to: server.url)
    _ = await upload.upload(segment)
    #expect(await upload.upload(segment) == .uploaded(bytes: 0))
    #expect(server.steps.filter { $0 == .put }.count == 1)
    #expect(server.uploaded.map(\.content) == [segment.content])
  }

  @Test func `another origin gets no token`() async throws {
    let (server, store) = (try ReplayServer(), try ReplayServer())
    server.next(.presign, [ReplayServer.Answer(body: #"{"uploadUrl":"\#(store.url)/x","segmentId":"x"}"#)])
    server.next(.complete, [ReplayServer.Answer(body: "{}")])
    guard case .uploaded = await segmentUpload(to: server.url).upload(segment) else {
      Issue.record("not uploaded")
      return
    }
    #expect(store.authorizations(.put) == [nil])
  }

  @Test func `what has forgotten a segment twice is believed when it is the collector`() async throws {
    let server = try ReplayServer()
    for (body, outcome) in [("{}", SegmentUpload.Outcome.stranger), (Self.code("unknown_segment"), .rejected)] {
      server.always(.put, ReplayServer.Answer(status: 404, body: body))
      #expect(await segmentUpload(to: server.url).upload(segment) == outcome)
    }
    // Where there is no such route, that says nothing about the segment.
    server.always(.presign, ReplayServer.Answer(status: 404, body: Self.code("not_found")))
    #expect(await segmentUpload(to: server.url).upload(segment) == .stranger)
  }

  @Test func `a page that is put in the place of a credential is nobody's answer`() async throws {
    let server = try ReplayServer()
    server.always(.auth, ReplayServer.Answer(body: "<html>log in</html>"))
    #expect(await segmentUpload(to: server.url).upload(segment) == .stranger)
    #expect(await !segmentUpload(to: server.url).end(["sessionId": "s"]).isTold)
  }

  @Test func `an answer that is no JSON, or no address, says nothing about the segment`() async throws {
    for body in ["", "[1]", "\u{0}", #"{"uploadUrl":7}"#, #"{"uploadUrl":"file:///etc/passwd"}"#] {
      let server = try ReplayServer()
      server.always(.presign, ReplayServer.Answer(body: body))
      let outcome = await segmentUpload(to: server.url).upload(segment)
      #expect(outcome == .stranger || outcome == .later)
      #expect(!server.steps.contains(.put))
    }
  }

  @Test func `a collector that is not there is left alone for a while`() async {
    let now = Locked<Int64>(0)
    let breaker = CircuitBreaker { now.withLock { $0 } }
    for _ in 0..<CircuitBreaker.threshold {
      #expect(await breaker.allows())
      await breaker.note(0)
    }
    #expect(await !breaker.allows())
    now.withLock { $0 += CircuitBreaker.firstWait }
    // One tries.
    #expect(await breaker.allows())
    #expect(await !breaker.allows())
    await breaker.note(503)
    now.withLock { $0 += CircuitBreaker.firstWait }
    #expect(await !breaker.allows())
    now.withLock { $0 += CircuitBreaker.firstWait }
    #expect(await breaker.allows())
    await breaker.note(200)
    #expect(await breaker.allows())
  }
}
