import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// One recorder takes the place of another that is still uploading.
@Suite(.serialized) struct `Recorders that follow one another` {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  @Test func `what the former one still uploads goes by the network that is there then, and not by that of before`()
    async throws
  {
    server.always(.presign, ReplayServer.Answer(status: 429, headers: ["Retry-After": "30"]))
    let (network, held) = (SharedNetwork(), HeldSleep())
    let options = ReplayOptions(wifiOnly: true)
    let studio = Studio(server, in: temporary, options: options) { services in
      services.path = network.monitor()
      services.sleep = { try await held.sleep($0) }
    }
    let id = try #require(await studio.recorder.start().sessionId)
    studio.capture.deliver(frame(studio.clock.now.wall))
    let stop = Task { [recorder = studio.recorder] in await recorder.stop() }
    #expect(
      await eventually {
        studio.clock.advance(1000)
        return await studio.recorder.controller.isIdle
      })
    try #require(await eventually { held.count > 0 })
    studio.recorder.configure(publicKey: "another-key", options: options)
    #expect(await studio.recorder.controller.isIdle)
    #expect(network.watchers == 2)
    network.set(SharedNetwork.mobile)
    server.always(.presign, nil)
    let asked = server.steps.count
    held.release()
    _ = await stop.value
    #expect(await eventually { network.watchers == 1 }, "the former one is done, and watches no longer")
    #expect(server.steps.count == asked, "not over this network")
    network.set(SharedNetwork.wiFi)
    #expect(await eventually { server.ends.contains { $0["sessionId"] as? String == id } })
    #expect(await eventually { SessionDirectory.all(in: studio.root).isEmpty })
  }

  @Test func `what switching off cut short is finished when it is on again, also when that is at once`() async throws {
    let network = DeafNetwork()
    let studio = Studio(server, in: temporary) { $0.transport = network }
    let id = try #require(await studio.recorder.start().sessionId)
    network.isHolding.withLock { $0 = true }
    for _ in 0..<2 { studio.capture.deliver(frame(studio.clock.now.wall)) }
    try #require(await eventually { network.held > 0 })
    let controller = studio.recorder.controller
    controller.send(.switched(on: false))
    controller.send(.switched(on: true))
    // As the SDK says it.
    controller.recover()
    #expect(await controller.isIdle)
    // Whoever looks now finds its files in use.
    try await Task.sleep(nanoseconds: 300_000_000)
    #expect(SessionDirectory.all(in: studio.root).map(\.id) == [id])
    network.release()
    #expect(await eventually { server.ends.contains { $0["sessionId"] as? String == id } })
    #expect(await eventually { SessionDirectory.all(in: studio.root).isEmpty })
  }

  @Test func `another device is another recorder`() {
    let services = ReplayServices.forTests(root: temporary.url, base: server.url)
    let engine = ReplayEngine(services, current: Locked(nil), askForRecovery: {}, send: { _ in })
    #expect(engine.isLike(services))
    var other = services
    other.device.deviceId = "d2"
    #expect(!engine.isLike(other))
    engine.retire()
  }

  @Test func `what others have uploaded gives its room back`() throws {
    let directory = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try directory.make()
    let theirs = FrameBudget()
    #expect(FrameStore(directory, budget: theirs).keep(frame(1, size: 300), at: 1) != nil)
    let clock = ManualClock()
    let counts = Locked(0)
    let budget = FrameBudget(limit: 400, now: { clock.now.steady }) {
      counts.withLock { $0 += 1 }
      return directory.frameFiles().reduce(0) { $0 + directory.size(of: $1) }
    }
    #expect(budget.taken == theirs.taken && budget.taken > 300)
    FrameSegments(directory: directory, budget: theirs).remove(directory.frameFiles())
    #expect(!budget.take(200), "it was looked at a moment ago")
    clock.advance(FrameBudget.countInterval)
    #expect(budget.hasRoom(for: 200))
    #expect(budget.take(200) && budget.taken == 200)
    #expect(counts.withLock { $0 } == 2)
  }

  @Test func `a replay that slept through its ten minutes ends when the device wakes`() async throws {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    studio.clock.sleepThrough(3_600_000)
    #expect(studio.recorder.sessionId != nil)
    studio.clock.advance(Checkpoint.intervalMs)
    #expect(await eventually { server.ends.first?["endReason"] as? String == "recording_cap" })
    #expect(studio.recorder.sessionId == nil)
  }
}

/// Answers nobody while it is told so, and does not hear that nobody wants the answer.
private final class DeafNetwork: RequestTransport {
  private let network = URLSessionTransport()
  private let waiting = Locked<[@Sendable (HTTPAnswer) -> Void]>([])
  let isHolding = Locked(false)

  var held: Int { waiting.withLock { $0.count } }

  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    guard isHolding.withLock({ $0 }) else { return network.send(request, completion: completion) }
    waiting.withLock { $0.append(completion) }
  }

  func cancelAll() {}

  func release() {
    isHolding.withLock { $0 = false }
    let all = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    all.forEach { $0(.failed("cancelled")) }
  }
}
