import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// A collector that is not there by one network may be there by another.
@Suite(.serialized) struct `Another network` {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  @Test func `ends the wait of whoever waits for a time to be over`() async {
    let (gate, clock) = (PathGate(wifiOnly: false), ManualClock())
    await gate.note(SharedNetwork.wiFi, number: 1)
    let isOver = Locked(false)
    let wait = Task {
      await gate.pause(1000) { clock.after($0, $1) }
      isOver.withLock { $0 = true }
    }
    #expect(await eventually { clock.waiting == 1 })
    #expect(await !gate.note(SharedNetwork.wiFi, number: 2), "the same one")
    #expect(await !gate.note(NetworkPath(isSatisfied: false, isWiFi: false), number: 3))
    #expect(!isOver.withLock { $0 })
    #expect(await gate.note(SharedNetwork.mobile, number: 4))
    await wait.value
    let timed = Task { await gate.pause(1000) { clock.after($0, $1) } }
    #expect(await eventually { clock.waiting == 2 })
    clock.advance(1000)
    await timed.value
    let cancelled = Task { await gate.pause(1000) { clock.after($0, $1) } }
    cancelled.cancel()
    await cancelled.value
    await gate.close()
    #expect(await !gate.isOpen)
    await gate.pause(1000) { clock.after($0, $1) }
    await gate.wait()
  }

  @Test func `has a collector asked again that was away a moment ago`() async {
    let clock = ManualClock()
    let breaker = CircuitBreaker { clock.now.steady }
    for _ in 0..<CircuitBreaker.threshold { await breaker.note(0) }
    #expect(await !breaker.allows())
    await breaker.retry()
    #expect(await breaker.allows())
    #expect(await !breaker.allows(), "one tries")
    await breaker.note(0)
    #expect(await !breaker.allows())
  }

  @Test func `begins a first replay for which nobody was there to give a credential`() async throws {
    server.always(.auth, .status(503))
    let network = SharedNetwork()
    let studio = Studio(server, in: temporary) { $0.path = network.monitor() }
    #expect(await studio.recorder.start() == .failed("no_credential"))
    server.always(.auth, nil)
    let start = studio.clock.now.steady
    #expect(
      await eventually {
        // Whoever is not waiting yet hears of the next one.
        for path in [SharedNetwork.mobile, SharedNetwork.wiFi] { network.set(path) }
        return studio.recorder.sessionId != nil
      })
    #expect(studio.clock.now.steady == start, "before the quarter of a minute is over")
    _ = await studio.recorder.stop()
  }

  @Test func `has what was left finished at once`() async throws {
    server.always(.presign, .status(503))
    let id = try leaveOrphan(in: temporary.url.appendingPathComponent("replay"))
    let network = SharedNetwork()
    let isLong = Locked(false)
    let studio = Studio(server, in: temporary) { services in
      services.path = network.monitor()
      services.sleep = { milliseconds in
        guard milliseconds >= RecoveryLoop.firstWait else { return }
        isLong.withLock { $0 = true }
        while true { try await Task.sleep(nanoseconds: 10_000_000) }
      }
    }
    #expect(await eventually { isLong.withLock { $0 } })
    server.always(.presign, nil)
    network.set(SharedNetwork.mobile)
    #expect(await eventually { server.ends.contains { $0["sessionId"] as? String == id } })
    studio.recorder.controller.send(.switched(on: false))
    #expect(await studio.recorder.controller.isIdle)
  }
}
