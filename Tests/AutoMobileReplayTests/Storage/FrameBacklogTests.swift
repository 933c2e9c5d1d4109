import AutoMobileSDK
import AutoMobileSupport
import Foundation
import HeapStatistics
import Testing

@testable import AutoMobileReplay

/// What waits for a network that is slow, or not there.
@Suite(.serialized) struct `Frames that wait` {
  private let temporary: TemporaryDirectory
  private let directory: SessionDirectory
  private let budget = FrameBudget(limit: 10_000_000)

  init() throws {
    temporary = try TemporaryDirectory()
    directory = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try directory.make()
  }

  @Test func `five hundred frames wait, and what comes then is lost until there is room`() throws {
    let store = FrameStore(directory, budget: budget)
    for time in Int64(0)..<500 { #expect(store.keep(frame(time, isKey: time % 20 == 0), at: time) != nil) }
    #expect(store.keep(frame(500, isKey: false), at: 500) == nil)
    #expect(store.keep(frame(501), at: 501) == nil)
    #expect(store.counts == FrameStore.Counts(recorded: 500, lost: [.network: 2]))
    #expect(directory.frameFiles().count == 500 && directory.frameFiles().first?.timestamp == 0)
    #expect(!store.wantsKey, "a key frame would find no room either")

    FrameSegments(directory: directory, budget: budget).remove(Array(directory.frameFiles().prefix(20)))
    #expect(store.wantsKey)
    #expect(store.keep(frame(502, isKey: false), at: 502) == nil, "without what was lost it cannot be shown")
    let kept = try #require(store.keep(frame(503), at: 503))
    #expect(kept.gap == FrameGap(frames: 3, reason: .network, since: 500, until: 503))
    #expect(store.keep(frame(504, isKey: false), at: 504)?.gap == nil)
    let bytes = try #require(
      FileManager.default.contents(atPath: directory.frames.appendingPathComponent(kept.entry.name).path))
    let record = try #require(frames(in: bytes)?.first)
    #expect(record.hasGap && record.dropped == 3)
    #expect(store.counts == FrameStore.Counts(recorded: 482 + 20, lost: [.network: 3]))
  }

  @Test func `fifty batches wait, and not one more`() throws {
    let store = FrameStore(directory, budget: budget)
    for time in Int64(0)..<50 { #expect(store.keep(frame(time), at: time) != nil) }
    #expect(store.keep(frame(50, isKey: false), at: 50) != nil, "it is part of the fiftieth")
    #expect(store.keep(frame(51), at: 51) == nil)
    #expect(store.counts == FrameStore.Counts(recorded: 51, lost: [.network: 1]))
    FrameSegments(directory: directory, budget: budget).remove(Array(directory.frameFiles().prefix(1)))
    #expect(store.keep(frame(52), at: 52) != nil)
    #expect(store.keep(frame(53), at: 53) == nil)
  }

  @Test func `a segment ends long before so many frames wait`() {
    let store = FrameStore(directory, budget: budget)
    for time in Int64(0)..<150 {
      #expect(!store.wantsKey || time == 0)
      _ = store.keep(frame(time, isKey: time == 0), at: time)
    }
    #expect(store.wantsKey)
  }

  @Test func `what the disk does not take is told apart`() throws {
    let store = FrameStore(directory, budget: budget)
    _ = store.keep(frame(0), at: 0)
    try FileManager.default.moveItem(at: directory.frames, to: temporary.url.appendingPathComponent("elsewhere"))
    #expect(store.keep(frame(1), at: 1) == nil)
    #expect(store.counts.lost == [.disk: 1])
    #expect(store.takeGap() == FrameGap(frames: 1, reason: .disk, since: 1))
    #expect(store.takeGap() == nil)
    #expect(budget.taken == 128 + 8, "the first one's")
    store.noteLoss(3, .slow)
    #expect(store.counts.lost == [.disk: 1, .slow: 3])
  }

  @Test func `a collector that takes nothing gets what waited, and is told of the rest`() async throws {
    let server = try ReplayServer()
    server.always(.presign, .status(503))
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    let start = studio.clock.now.wall
    for number in Int64(0)..<700 {
      studio.clock.advance(100)
      studio.capture.deliver(frame(studio.clock.now.wall, isKey: number % 20 == 0))
    }
    let session = try #require(SessionDirectory.all(in: studio.root).first)
    #expect(session.frameFiles().count == 500)
    #expect(await studio.findsThatCollectorIsAway())
    server.always(.presign, nil)
    studio.clock.advance(CircuitBreaker.longestWait)
    _ = await studio.recorder.stop()
    let metrics = server.ends.first?["metrics"] as? [String: NSNumber]
    #expect(metrics?["framesRecorded"] == 500 && metrics?["framesDropped"] == 200)
    #expect(metrics?["framesDropped.network"] == 200 && metrics?["framesDropped.slow"] == nil)
    let uploaded = server.uploaded.filter { $0.kind == "screenshots" }
    #expect(uploaded.reduce(0) { $0 + $1.frameCount } == 500)
    #expect(try gaps(server) == [Gap(t: start + 50_100, dropped: 200, reason: "network", until: nil)])
  }

  @Test func `a gap that ended says from when to when`() async throws {
    let server = try ReplayServer()
    let studio = Studio(server, in: temporary) { $0.frameBudget = 1000 }
    _ = await studio.recorder.start()
    let start = studio.clock.now.wall
    for (size, isKey) in [(100, true), (5000, false), (100, false), (100, true)] {
      studio.clock.advance(1000)
      studio.capture.deliver(frame(studio.clock.now.wall, isKey: isKey, size: size))
    }
    _ = await studio.recorder.stop()
    #expect(try gaps(server) == [Gap(t: start + 2000, dropped: 2, reason: "network", until: start + 4000)])
  }

  @Test func `on a network that answers after a long time, memory is bounded and everything is accounted for`()
    async throws
  {
    let server = try ReplayServer()
    server.configure(#"{"maxRecordingMinutes":60}"#)
    let network = SlowNetwork()
    let studio = Studio(server, in: temporary) { $0.transport = network }
    _ = await studio.recorder.start()
    func deliver(_ count: Int) {
      for number in 0..<count {
        studio.clock.advance(333)
        studio.capture.deliver(frame(studio.clock.now.wall, isKey: number % 20 == 0, size: 30_000))
      }
    }
    network.isHolding.withLock { $0 = true }
    deliver(550)
    let before = heap_live_bytes()
    deliver(450)
    let growth = Int64(clamping: heap_live_bytes()) - Int64(clamping: before)
    #expect(growth < 3_000_000, "thirteen megabytes went by")
    let session = try #require(SessionDirectory.all(in: studio.root).first)
    #expect(session.frameFiles().count == FrameBacklog.maximumFrames)
    #expect(network.mostAtOnce <= 1)
    network.release()
    _ = await studio.recorder.stop()
    #expect(await eventually { server.ends.count == 1 })
    let metrics = try #require(server.ends.first?["metrics"] as? [String: NSNumber])
    let dropped = metrics["framesDropped"]?.intValue ?? 0
    #expect((metrics["framesRecorded"]?.intValue ?? 0) + dropped == 1000)
    #expect(metrics["framesDropped.network"]?.intValue == dropped && dropped >= 450)
    #expect(try gaps(server).reduce(0) { $0 + $1.dropped } == dropped)
  }

  private struct Gap: Decodable, Equatable {
    var t: Int64
    var dropped: Int
    var reason: String
    var until: Int64?
  }

  private func gaps(_ server: ReplayServer) throws -> [Gap] {
    try server.uploaded.filter { $0.kind == "events" }.flatMap { $0.content.split(separator: 0x0A) }
      .filter { String(decoding: $0, as: UTF8.self).contains(#""type":"gap""#) }
      .map { try JSONDecoder().decode(Gap.self, from: Data($0)) }
  }
}

/// Holds what is uploaded until somebody lets it go.
private final class SlowNetwork: RequestTransport {
  private let network = URLSessionTransport()
  private let held = Locked<[@Sendable () -> Void]>([])
  private let most = Locked(0)
  let isHolding = Locked(false)

  var mostAtOnce: Int { most.withLock { $0 } }

  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    guard isHolding.withLock({ $0 }) else { return network.send(request, completion: completion) }
    let count = held.withLock { held in
      held.append { [network] in network.send(request, completion: completion) }
      return held.count
    }
    most.withLock { $0 = max($0, count) }
  }

  func release() {
    isHolding.withLock { $0 = false }
    let waiting = held.withLock { held in
      defer { held = [] }
      return held
    }
    waiting.forEach { $0() }
  }

  func cancelAll() { network.cancelAll() }
}
