import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Passes on what comes, in OpenTelemetry's words: for each forwarder a lane of logs and one of traces.
final class Forwarding: Sendable {
  let store: ForwarderStore
  /// How far they have come.
  let lanes: any StateStore
  let egress: Egress
  /// By which this collector knows what it forwarded itself: sent back to it, it would go round for ever.
  let identity: String
  private let parts: ForwardLane.Parts
  /// Those that run, and those that have been stopped and may have a request under way.
  private let current = NIOLockedValueBox(Lanes())
  /// Called before the settings are looked at.
  private let prepare: @Sendable () throws -> Void
  /// One look at the settings at a time.
  private let refreshing = NSLock()
  /// Has the settings looked at again.
  private let follower: StateFollower

  private struct Lanes {
    var running: [ForwardLaneName: ForwardLane] = [:]
    var ending: [ForwardLaneName: ForwardLane] = [:]
    var isOver = false
  }

  /// - Parameters:
  ///   - state: what forwarders there are, and how far they have come; by default where the index is. Where a state is shared and events
  ///     are not, each collector sends its own, and how far it has come is in its index.
  ///   - reading: what is passed on; by default in the index. One that is given has what all collectors of the state took in: then one of
  ///     them sends it.
  init(
    store: EventStore, state: (any StateStore)? = nil, reading: (any ForwardReading)? = nil, egress: Egress,
    metrics: CollectorMetrics, logger: Logger, pause: ForwardPause = ForwardPause()
  ) {
    let state = state ?? store.state
    let hasOwn = reading == nil && store.sharesState
    let reading = reading ?? SQLiteForwards(store: store)
    self.store = ForwarderStore(state: state) { try await reading.newest(nil) }
    lanes = hasOwn ? store.own as any StateStore : state
    prepare = { if hasOwn { try store.pullForwarders() } }
    self.egress = egress
    identity = Self.identity(in: state, logger)
    parts = ForwardLane.Parts(
      reading: reading, maximumDepth: store.maximumDepth, state: lanes, egress: egress, identity: identity,
      thread: QuietThread("forwarding"), metrics: metrics, logger: logger, pause: pause)
    follower = StateFollower(of: [.forwarders, .erasures], in: state)
    do {
      try refreshNow()
    } catch {
      say(error)
      follower.lookAgain()
    }
    follower.start(pauses: (.seconds(1), .seconds(1))) { [weak self] told in
      // What another collector erased may have been read here.
      if told.subject != .forwarders { self?.forget() }
    } look: { [weak self] in
      await self?.isRefreshed() ?? true
    }
  }

  /// The same with each start: what it forwarded may come back after one.
  private static func identity(in state: any StateStore, _ logger: Logger) -> String {
    let new = UUID().uuidString
    do {
      return try StateSecret.text("collector", in: state, at: WallClock.now, by: "") { new }
    } catch {
      logger.error("the collector's name cannot be kept", metadata: ["error": "\(error)"])
      return new
    }
  }

  /// Something was indexed. Called on the indexer's thread.
  func wake() {
    for lane in current.withLockedValue({ Array($0.running.values) }) { lane.wake() }
  }

  /// Some of what was read and not sent yet has been erased.
  func forget() {
    for lane in current.withLockedValue({ Array($0.running.values) + Array($0.ending.values) }) { lane.forget() }
  }

  /// Has the lanes be as the settings are, before it returns; where these cannot be read at this moment, later, by itself.
  func refresh() async {
    if await !isRefreshed() { follower.lookAgain() }
  }

  /// Waits for the state, which may be far away: never on one of Swift's threads.
  private func isRefreshed() async -> Bool {
    do {
      try await offLoop { [self] in try refreshNow() }
      return true
    } catch {
      say(error)
      return false
    }
  }

  private func say(_ error: any Error) {
    parts.logger.error("forwarders cannot be read; trying again", metadata: ["error": "\(error)"])
  }

  /// A lane whose forwarder was set, even to what it was, begins anew after its request under way: so does a blocked one.
  private func refreshNow() throws {
    try refreshing.withLock {
      try prepare()
      let forwarders = try store.state.readNow { try ForwarderStore.all(in: $0) }
      // Afterwards: a forwarder that was removed meanwhile has lanes that end.
      let entries = try lanes.readNow { try ForwardLedger.entries(in: $0) }
      var wanted: [ForwardLaneName: (Forwarder, Int64)] = [:]
      for forwarder in forwarders where !forwarder.settings.isPaused {
        for signal in ForwardSignal.allCases where !ForwardFilter(forwarder.settings, signal).isEmpty {
          let name = ForwardLaneName(forwarder: forwarder.id, signal: signal)
          // One that was added since `prepare` has none here yet; where it begins is not known, and its news lead to another look.
          if let entry = entries[name] { wanted[name] = (forwarder, entry.cursor) }
        }
      }
      current.withLockedValue { lanes in
        guard !lanes.isOver else { return }
        for (name, lane) in lanes.running where wanted[name]?.0 != lane.forwarder {
          lane.stop()
          lanes.running[name] = nil
          lanes.ending[name] = lane
        }
        for (name, (forwarder, cursor)) in wanted where lanes.running[name] == nil {
          let lane = ForwardLane(forwarder, name.signal, from: cursor, parts)
          lane.start(after: lanes.ending.removeValue(forKey: name))
          lanes.running[name] = lane
        }
      }
    }
  }

  // MARK: Looking

  /// How many events lie behind what each lane has come to.
  func behind(
    _ entries: [ForwardLaneName: ForwardLedger.Entry], _ statuses: [ForwardLaneName: ForwardLane.Status],
    _ scope: ReadScope
  ) async throws -> [ForwardLaneName: Int64] {
    let names = Set(entries.keys).union(statuses.keys)
    let places = Dictionary(
      uniqueKeysWithValues: names.map { ($0, max(entries[$0]?.cursor ?? 0, statuses[$0]?.position ?? 0)) })
    let behind = try await parts.reading.behind(scope, Set(places.values))
    return places.compactMapValues { behind[$0] }
  }

  /// What lanes do at this moment.
  var statuses: [ForwardLaneName: ForwardLane.Status] {
    current.withLockedValue { $0.running }.mapValues(\.status)
  }

  /// Sends a record that says that it is a test, and no spans; now, whatever waits.
  ///
  /// - Throws: ``APIError`` when there is no such forwarder.
  func test(_ id: Int64) async throws -> [(signal: ForwardSignal, outcome: ForwardOutcome)] {
    guard let forwarder = try await store.state.read({ try ForwarderStore.forwarder(id, in: $0) }) else {
      throw ForwarderStore.none
    }
    var outcomes: [(ForwardSignal, ForwardOutcome)] = []
    for signal in ForwardSignal.allCases where !ForwardFilter(forwarder.settings, signal).isEmpty {
      let courier = ForwardCourier(
        egress: egress, settings: forwarder.settings, signal: signal, identity: identity,
        limits: EgressLimits(seconds: 15, answerBytes: 64 << 10))
      let outcome = try? await courier.deliver(ForwardTest.batch(of: signal, forwarder.settings.format))
      await courier.close()
      outcomes.append((signal, outcome ?? .later(reason: "it was interrupted", after: nil)))
    }
    return outcomes
  }

  // MARK: Stopping

  /// Begins no more requests.
  func finish() {
    for lane in everyLane() { lane.stop() }
  }

  /// Ends. A request under way has so many seconds to be answered; beyond, it is sent again by the next run.
  func stop(within seconds: Double) {
    let all = everyLane()
    let group = DispatchGroup()
    for lane in all {
      group.enter()
      Task {
        await lane.end()
        group.leave()
      }
    }
    if group.wait(timeout: .now() + seconds) == .timedOut {
      for lane in all { lane.cancel() }
      _ = group.wait(timeout: .now() + 1)
    }
    parts.thread.stop()
  }

  private func everyLane() -> [ForwardLane] {
    follower.stop()
    return current.withLockedValue { lanes in
      lanes.isOver = true
      return Array(lanes.running.values) + Array(lanes.ending.values)
    }
  }
}
