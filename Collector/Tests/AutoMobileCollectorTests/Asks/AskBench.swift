import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Devices that keep what they record, and somebody who asks for it.
extension RunningCollector {
  static let shop = "dev.example.shop"

  /// A session of a device that has told something of itself.
  static func session(
    _ name: String, device: String, user: String, launch: LaunchID = LaunchID(), bundle: String = shop
  ) -> RawBatch {
    var batch = RawBatch(launch: launch, bundleId: bundle)
    batch.add(
      .context,
      """
      {"contextId":1,"sessionId":"\(name)","userId":"\(user)","anonymousId":"\(device)","appVersion":"2.1","bundleId":"\(bundle)"}
      """)
    return batch
  }

  /// Delivers a session with one event, and waits for it.
  @discardableResult
  func know(_ name: String, device: String, user: String, bundle: String = shop) async throws -> RawBatch {
    var batch = Self.session(name, device: device, user: user, bundle: bundle)
    batch.addLog("of \(name)")
    try await post(raw: batch)
    try await waitForLaunch(batch.launch, stored: 1)
    return batch
  }

  func askDevices(_ body: String, headers: [(String, String)] = []) async throws -> Answer {
    try await post("/api/asks", body, headers: headers)
  }

  /// Asks, and returns the ask's number.
  func asked(_ body: String) async throws -> Int {
    let answer = try await askDevices(body)
    try #require(answer.status == 200, "\(answer.text)")
    return try #require(try answer.json()["id"].int)
  }

  /// What devices know an ask by.
  func name(_ id: Int) -> String { "\(collector.configuration.issuer.prefix(8))-\(id)" }

  /// What an app is told that says it is `asker`.
  func tell(
    _ asker: String?, launch: String = "x", bundle: String = shop, tag: String? = nil
  ) async throws -> Answer {
    var headers: [(String, String)] = []
    if let asker { headers.append(("X-AutoMobile-Asker", asker)) }
    if let tag { headers.append(("If-None-Match", "\"\(tag)\"")) }
    return try await get("/sdk-config?bundleId=\(bundle)&launchId=\(launch)", headers: headers)
  }

  func tag(_ asker: String?) async throws -> String {
    try #require(try await tell(asker).headers["X-AutoMobile-Config"].first)
  }

  /// What the answer to a delivery names, of an app that says it is `asker`.
  func named(to batch: RawBatch, of asker: String?) async throws -> [String] {
    let headers = asker.map { [("X-AutoMobile-Asker", $0)] } ?? []
    return try await post(raw: batch, headers: headers).headers["X-AutoMobile-Config"]
  }

  /// For a minute and a half at most.
  func wait(until isDone: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(90)
    while try await !isDone() {
      try #require(ContinuousClock.now < deadline, "waited in vain")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// An app that has nothing else to do asks whether there is news for it.
  func listen(_ asker: String, tag: String, launch: String = "x", wait: Double = 20) async throws -> Answer {
    try await get(
      "/sdk-commands?bundleId=\(Self.shop)&launchId=\(launch)&config=\(tag)&wait=\(wait)",
      headers: [("X-AutoMobile-Asker", asker)])
  }
}

/// Asks in an index that no collector has open, with a clock that stands.
struct LoneAsks {
  let store: EventStore
  let asks: Asks
  let time: Kept<Int64>

  /// - Parameter reading: makes what arrives out of what the index says.
  init(
    _ directory: URL, stride: Int = 5000, reading: (SQLiteAsks) -> any AskReading = { $0 }
  ) throws {
    store = try EventStore(path: directory.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let time = Kept(WallClock.now)
    self.time = time
    asks = try Asks(
      store: store, reading: reading(SQLiteAsks(store: store)),
      configuration: ConfigurationStore(store.state, logger: RunningCollector.quiet),
      logger: RunningCollector.quiet, now: { time.value }, stride: stride)
  }

  func told(_ asker: Asker) -> [Int64] {
    let app = DeliveringApp(owner: .app(RunningCollector.shop), bundleId: RunningCollector.shop)
    return asks.effective(of: app, asker: asker).told
  }

  /// Has the thread look until `isDone`, for a minute and a half at most.
  func settle(within seconds: Double = 90, until isDone: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !isDone() {
      try #require(ContinuousClock.now < deadline, "waited in vain")
      asks.worker.wake()
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func row(_ id: Int64) throws -> Ask? { try store.state.readNow { try AskTables.one(id, in: $0) } }
}
