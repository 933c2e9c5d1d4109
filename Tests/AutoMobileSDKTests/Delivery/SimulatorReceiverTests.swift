import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SimulatorReceiverTests {
  private func find(_ simulator: SimulatorReceiver) async -> URL? {
    let transport = URLSessionTransport()
    return await withCheckedContinuation { continuation in
      simulator.find(transport, on: DispatchQueue(label: "search"), while: { true }) { found in
        withExtendedLifetime(transport) { continuation.resume(returning: found) }
      }
    }
  }

  private func health(_ body: String) throws -> HTTPTestServer {
    try HTTPTestServer { $0.path == "/health" && $0.method == "GET" ? .json(200, body) : .json(404, "{}") }
  }

  @Test func `the receiver that serves this device is found, whatever the case of its name`() async throws {
    let servers = try [
      HTTPTestServer(.close), HTTPTestServer(.json(200, "garbage")), HTTPTestServer(.json(500, "{}")),
      health(#"{"status":"ok"}"#), health(#"{"status":"ok","deviceId":"OTHER"}"#),
      health(#"{"status":"ok","deviceId":"abc-DEF","port":1}"#), health(#"{"status":"ok","deviceId":"ABC-DEF"}"#),
    ]
    defer { servers.forEach { $0.stop() } }
    var simulator = SimulatorReceiver(deviceId: "ABC-def", ports: servers.map { Int($0.port) })
    simulator.timeouts = .remote
    #expect(await find(simulator)?.port == Int(servers[5].port))
    #expect(servers[6].requests.isEmpty)
  }

  @Test func `a receiver that names no device serves everybody, and none is none`() async throws {
    let down = try HTTPTestServer(isUp: false) { _ in .ok }
    let other = try health(#"{"status":"ok","deviceId":"OTHER"}"#)
    let any = try health(#"{"status":"ok","version":"0.1.0","port":8765}"#)
    defer { [down, other, any].forEach { $0.stop() } }
    var simulator = SimulatorReceiver(deviceId: "mine", ports: [down, other, any].map { Int($0.port) })
    simulator.timeouts = .remote
    #expect(await find(simulator)?.port == Int(any.port))
    simulator.ports = [down, other].map { Int($0.port) }
    #expect(await find(simulator) == nil)
    simulator.ports = []
    #expect(await find(simulator) == nil)
  }

  @Test func `nobody else is asked once delivery is held, and the search is taken up again afterwards`() async throws {
    let bench = try DeliveryBench()
    let holder = Locked<DeliveryWorker?>(nil)
    defer { holder.withLock { $0 = nil } }
    let first = try HTTPTestServer { _ in
      holder.withLock { $0 }?.setHeld(true, by: .consent, isUrgent: true)
      return .json(200, #"{"status":"ok","deviceId":"other"}"#)
    }
    let second = try HTTPTestServer { request in
      request.path == "/health" ? .json(200, #"{"status":"ok","deviceId":"x"}"#) : .ok
    }
    defer { [first, second].forEach { $0.stop() } }
    let journal = try bench.journal()
    var simulator = SimulatorReceiver(deviceId: "X", ports: [Int(first.port), Int(second.port)])
    simulator.timeouts = .remote
    let worker = DeliveryWorker(
      journal: journal, options: DeliveryOptions(.simulator(simulator)), clock: bench.clock.clock)
    holder.withLock { $0 = worker }
    journal.appendSurely(event(0, context: nil))
    worker.wake()
    // An erasure calls back when nothing is under way any more.
    #expect(await eventually { first.requests.count == 1 })
    await withCheckedContinuation { continuation in worker.beginErasure { continuation.resume() } }
    #expect(second.requests.isEmpty)
    #expect(worker.status.lastError == nil)
    holder.withLock { $0 = nil }
    worker.endErasure()
    worker.setHeld(false, by: .consent)
    #expect(await eventually(bench.clock) { worker.settled == 1 })
  }

  @Test func `the ports are the documented ones, and only a simulator has them`() {
    #expect(SimulatorReceiver.ports.first == 8765)
    #expect(SimulatorReceiver.ports.last == 8796)
    #expect(SimulatorReceiver.ports.count == 31)
    #expect(!SimulatorReceiver.ports.contains(8766))
    #expect(SimulatorReceiver(environment: [:]) == nil)
    #expect(SimulatorReceiver(environment: ["SIMULATOR_UDID": ""]) == nil)
    #expect(SimulatorReceiver(environment: ["SIMULATOR_UDID": "X"])?.deviceId == "X")
  }

  @Test func `delivery looks for the receiver when there is something to deliver, and again when it is lost`()
    async throws
  {
    let bench = try DeliveryBench()
    let store = Locked((health: 0, posts: 0))
    let server = try HTTPTestServer { request in
      store.withLock { store in
        if request.path == "/health" {
          store.health += 1
          // Not yet there when it is first asked for.
          return store.health == 1 ? .close : .json(200, #"{"status":"ok","deviceId":"x"}"#)
        }
        store.posts += 1
        return store.posts < 6 ? .close : .ok
      }
    }
    defer { server.stop() }
    let journal = try bench.journal()
    var simulator = SimulatorReceiver(deviceId: "X", ports: [Int(server.port)])
    simulator.timeouts = .remote
    let worker = DeliveryWorker(
      journal: journal, options: DeliveryOptions(.simulator(simulator)), clock: bench.clock.clock)
    worker.wake()
    worker.queue.sync {}
    #expect(server.requests.isEmpty)
    journal.appendSurely(event(0, context: nil))
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 1 })
    #expect(worker.status.endpoint?.path == "/sdk-events")
    // Once in vain, once found, and again after the documented retries were used up.
    #expect(store.withLock { $0.health } >= 3)
  }
}
