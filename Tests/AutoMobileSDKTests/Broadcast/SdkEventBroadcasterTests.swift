import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SdkEventBroadcasterTests {
  private let center = NotificationCenter()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Waits for answers as long as a test holds them, however slow the machine is at that moment.
  private final class PatientTransport: RequestTransport {
    private let transport = URLSessionTransport()

    func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
      var request = request
      request.timeouts = HTTPTimeouts(silence: 90, whole: 120)
      transport.send(request, completion: completion)
    }

    func cancelAll() { transport.cancelAll() }
  }

  private func broadcaster(_ url: URL?, isDebug: Bool = true) -> SdkEventBroadcaster {
    let broadcaster = SdkEventBroadcaster(url: url, isDebug: isDebug, transport: PatientTransport(), center: center)
    broadcaster.persistence = FileEventPersistence(directory: directory.url)
    broadcaster.retryPolicy = RetryPolicy(maxRetries: 3, baseDelayMs: 1, maxDelayMs: 1)
    return broadcaster
  }

  private func names(_ request: ReceivedRequest) -> [String] {
    let batch = try? JSONDecoder().decode(SdkEventBatch.self, from: request.body)
    return batch?.events.compactMap { (try? $0.event() as? SdkCustomEvent)?.name } ?? []
  }

  @Test func `the names are the documented ones`() {
    #expect(
      SdkEventBroadcaster.eventBatchNotification.rawValue == "dev.jasonpearson.automobile.sdk.EVENT_BATCH")
    #expect(SdkEventBroadcaster.eventBatchUserInfoKey == "eventBatch")
  }

  @Test func `a batch is on disk, then posted, then sent, and removed when it was taken`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let posted = Locked<[(batch: Data?, onDisk: Int)]>([])
    let token = center.addObserver(
      forName: SdkEventBroadcaster.eventBatchNotification, object: nil, queue: nil
    ) { [directory] notification in
      let data = notification.userInfo?[SdkEventBroadcaster.eventBatchUserInfoKey] as? Data
      posted.withLock { $0.append((data, directory.names.count)) }
    }
    defer { center.removeObserver(token) }
    broadcaster(server.url).broadcastBatch(
      bundleId: "com.example", events: [SdkCustomEvent(name: "a"), SdkCustomEvent(name: "b")])
    let (data, onDisk) = try #require(posted.withLock { $0.first })
    #expect(onDisk == 1)
    #expect(await eventually { directory.names.isEmpty && server.requests.count == 1 })
    let request = try #require(server.requests.first)
    #expect(request.path == "/sdk-events")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.body == data)
    #expect(names(request) == ["a", "b"])
    #expect(try JSONDecoder().decode(SdkEventBatch.self, from: request.body).bundleId == "com.example")
  }

  @Test func `an empty batch is none`() {
    let posted = Locked(0)
    let token = center.addObserver(
      forName: SdkEventBroadcaster.eventBatchNotification, object: nil, queue: nil
    ) { _ in posted.withLock { $0 += 1 } }
    defer { center.removeObserver(token) }
    broadcaster(nil).broadcastBatch(bundleId: nil, events: [])
    #expect(posted.withLock { $0 } == 0)
    #expect(directory.names.isEmpty)
  }

  @Test func `a passing trouble is overcome, in the order of the batches`() async throws {
    let answers = Locked([503, 429, 200, 200])
    let server = try HTTPTestServer { _ in
      .answer(answers.withLock { $0.isEmpty ? 200 : $0.removeFirst() })
    }
    defer { server.stop() }
    let broadcaster = broadcaster(server.url)
    broadcaster.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "first")])
    broadcaster.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "second")])
    #expect(await eventually { directory.names.isEmpty })
    #expect(server.requests.flatMap(names) == ["first", "first", "first", "second"])
  }

  @Test func `what the receiver refuses for good blocks nothing`() async throws {
    let server = try HTTPTestServer { request in
      .answer(String(decoding: request.body, as: UTF8.self).contains("refused") ? 400 : 200)
    }
    defer { server.stop() }
    let broadcaster = broadcaster(server.url)
    broadcaster.broadcastBatch(bundleId: "refused", events: [SdkCustomEvent(name: "a")])
    broadcaster.broadcastBatch(bundleId: "taken", events: [SdkCustomEvent(name: "b")])
    #expect(await eventually { directory.names.isEmpty })
    #expect(server.requests.count == 2)
  }

  @Test func `what could not be sent is sent again by the next launch, oldest first`() async throws {
    let broken = try HTTPTestServer(.answer(500))
    let first = broadcaster(broken.url)
    first.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "1")])
    first.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "2")])
    #expect(await eventually { broken.requests.count == 8 })
    broken.stop()
    #expect(directory.names.count == 2)
    #expect(first.dropCounter.snapshot().isEmpty)

    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let next = broadcaster(nil)
    next.replayPending(bundleId: "com.example")
    #expect(server.requests.isEmpty)
    next.setCtrlProxyUrl(server.url.appendingPathComponent("sdk-events"))
    next.replayPending(bundleId: "com.example")
    #expect(await eventually { directory.names.isEmpty })
    #expect(server.requests.map(\.path) == ["/sdk-events", "/sdk-events"])
    #expect(server.requests.flatMap(names) == ["1", "2"])
  }

  @Test func `a release build keeps and posts, but sends nothing`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let posted = Locked(0)
    let token = center.addObserver(
      forName: SdkEventBroadcaster.eventBatchNotification, object: nil, queue: nil
    ) { _ in posted.withLock { $0 += 1 } }
    defer { center.removeObserver(token) }
    let broadcaster = broadcaster(nil, isDebug: false)
    broadcaster.setCtrlProxyUrl(server.url)
    broadcaster.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "a")])
    broadcaster.replayPending(bundleId: nil)
    #expect(posted.withLock { $0 } == 1)
    #expect(directory.names.count == 1)
    #expect(server.requests.isEmpty)
  }

  @Test func `a buffer and a broadcaster make a pipeline`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let broadcaster = broadcaster(server.url)
    let buffer = SdkEventBuffer(maxBufferSize: 2) { broadcaster.broadcastBatch(bundleId: nil, events: $0) }
    buffer.add(SdkCustomEvent(name: "a"))
    buffer.add(SdkCustomEvent(name: "b"))
    #expect(await eventually { server.requests.count == 1 && directory.names.isEmpty })
    #expect(server.requests.flatMap(names) == ["a", "b"])
  }

  @Test func `a batch that is given up is counted, and one that is kept is not`() async throws {
    let server = try HTTPTestServer { request in
      .answer(String(decoding: request.body, as: UTF8.self).contains("refused") ? 400 : 503)
    }
    defer { server.stop() }
    let broadcaster = broadcaster(server.url)
    broadcaster.broadcastBatch(bundleId: "kept", events: [SdkCustomEvent(name: "a")])
    #expect(await eventually { server.requests.count == 4 })
    broadcaster.broadcastBatch(bundleId: "refused", events: [SdkCustomEvent(name: "b"), SdkCustomEvent(name: "c")])
    #expect(await eventually { broadcaster.dropCounter.snapshot() == [.deliveryFailed: 2] })
    // Counted first, and then removed.
    #expect(await eventually { directory.names.count == 1 })
    let drops = DefaultDropCounter()
    broadcaster.dropCounter = drops
    broadcaster.persistence = nil
    broadcaster.broadcastBatch(bundleId: "kept nowhere", events: [SdkCustomEvent(name: "d")])
    #expect(await eventually { drops.snapshot() == [.deliveryFailed: 1] })
    #expect(server.requests.count == 4 + 1 + 4)
  }

  @Test func `an event that cannot be written is counted, and takes none of the others with it`() async throws {
    let server = try HTTPTestServer(.answer(503))
    let first = broadcaster(server.url)
    let endless = SdkCustomEvent(name: String(repeating: "x", count: 1_000_000))
    first.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "1"), endless, SdkCustomEvent(name: "2")])
    #expect(first.dropCounter.snapshot() == [.flushError: 1])
    #expect(directory.names.count == 1)
    #expect(await eventually { server.requests.count == 4 })
    #expect(server.requests.allSatisfy { names($0) == ["1", "2"] })
    server.stop()
    let kept = FileEventPersistence(directory: directory.url).loadPending().flatMap(\.events)
    #expect(kept.compactMap { ($0 as? SdkCustomEvent)?.name } == ["1", "2"])
  }

  @Test func `a batch has a name that stays, and a place in their order`() async throws {
    let broken = try HTTPTestServer(.answer(500))
    let first = broadcaster(broken.url)
    first.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "1")])
    first.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "2")])
    #expect(await eventually { broken.requests.count == 8 })
    broken.stop()
    func batches(_ server: HTTPTestServer) -> [SdkEventBatch] {
      server.requests.compactMap { try? JSONDecoder().decode(SdkEventBatch.self, from: $0.body) }
    }
    #expect(batches(broken).map(\.sequence) == [1, 1, 1, 1, 2, 2, 2, 2])
    let names = batches(broken).compactMap(\.batchId)
    #expect(names.count == 8 && Set(names).count == 2)
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    broadcaster(server.url).replayPending(bundleId: nil)
    #expect(await eventually { directory.names.isEmpty })
    #expect(batches(server).compactMap(\.batchId) == [names[0], names[4]])
  }

  @Test func `what is under way is not sent again by a replay`() async throws {
    let mayAnswer = DispatchSemaphore(value: 0)
    let server = try HTTPTestServer { _ in
      mayAnswer.wait()
      mayAnswer.signal()
      return .ok
    }
    defer { server.stop() }
    let broadcaster = broadcaster(server.url)
    for number in 0..<3 { broadcaster.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "\(number)")]) }
    #expect(await eventually { server.requests.count == 1 })
    for _ in 0..<3 { broadcaster.replayPending(bundleId: nil) }
    mayAnswer.signal()
    #expect(await eventually { directory.names.isEmpty })
    // One that is persisted now comes after whatever the replays have put before it.
    broadcaster.broadcastBatch(bundleId: nil, events: [SdkCustomEvent(name: "last")])
    #expect(await eventually { server.requests.flatMap(names).last == "last" })
    #expect(server.requests.flatMap(names) == ["0", "1", "2", "last"])
  }

  @Test func `a batch that is delivered while a replay reads is not sent again`() async throws {
    let underWay = BatchesUnderWay()
    #expect(underWay.begin("a"))
    underWay.replaying {
      // Read, and delivered by whoever sent it first, before the replay comes to it.
      underWay.end("a")
      #expect(!underWay.begin("a"))
      #expect(underWay.begin("b"))
    }
    #expect(!underWay.begin("b"))
    underWay.end("b")
    #expect(underWay.begin("a") && underWay.begin("b"))
  }
}
