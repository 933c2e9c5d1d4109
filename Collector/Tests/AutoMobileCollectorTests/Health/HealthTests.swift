import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `App health` {
  private static let now = Int(Date().timeIntervalSince1970 * 1000)

  @Test func `launch times are counted by kind and version, and the slowest is named`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for index in 1...100 {
        // As text, as a number, and as neither.
        let total = index % 2 == 0 ? "\"\(index * 10)\"" : "\(index * 10)"
        batch.addCustom(
          "App Launch", "\"kind\":\"\(index <= 80 ? "cold" : "warm")\",\"totalMs\":\(total),\"preMainMs\":\(index)",
          at: Self.now - index)
      }
      batch.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":\"soon\"", at: Self.now)
      batch.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":-4", at: Self.now)
      batch.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":1e300", at: Self.now)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 103)
      let times = try await collector.json("/api/health")["launchTime"]
      #expect(times["count"].int == 100)
      #expect(times["p50"].double == 500 && times["p90"].double == 900 && times["p99"].double == 990)
      #expect(times["kinds"].array.map { $0["kind"].string } == ["cold", "warm"])
      #expect(times["kinds"].array.map { $0["count"].int } == [80, 20])
      #expect(times["versions"].array.map { $0["version"].string } == ["2.1"])
      #expect(times["preMain"]["p50"].double == 50)
      #expect(times["slowest"].array.first?["totalMs"].double == 1000)
      #expect(times["slowest"].array.first?["sessionId"].string == "s-1")
      #expect(times["trend"].array.last?["count"].int == 100)
    }
  }

  @Test func `frames are counted by screen, the worst first`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for (screen, slow, frozen) in [("Menu", 4, 0), ("Checkout", 2, 1), ("Menu", 6, 0)] {
        batch.addCustom(
          "Frames",
          "\"screen\":\"\(screen)\",\"durationMs\":\"2000\",\"frames\":\"120\",\"slow\":\"\(slow)\",\"frozen\":\"\(frozen)\",\"worstMs\":\"\(slow * 20)\"",
          at: Self.now)
      }
      // The worst second of a screen is in the screen's numbers already.
      batch.addCustom("Frames", "\"scope\":\"second\",\"screen\":\"Menu\",\"frames\":40,\"slow\":6", at: Self.now)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 4)
      let frames = try await collector.json("/api/health?app=dev.example.shop&version=2.1")["frames"]
      #expect(frames["frames"].int == 360 && frames["slow"].int == 12 && frames["frozen"].int == 1)
      #expect(frames["screens"].array.map { $0["screen"].string } == ["Checkout", "Menu"])
      #expect(frames["screens"].array[1]["visits"].int == 2)
      #expect(frames["screens"].array[1]["worstMs"].double == 120)
      let others = try await collector.json("/api/health?version=9")["frames"]
      #expect(others["frames"].int == 0)
    }
  }

  @Test func `crashes, hangs, ends, memory and losses are told apart by version and time`() async throws {
    try await RunningCollector.with { collector in
      var first = RawBatch()
      first.addContext(1, session: "crashed")
      first.addLog("before", at: Self.now - 5000)
      first.add(
        .event,
        """
        {"eventType":"crash","timestamp":\(Self.now - 4000),"errorDomain":"SIGSEGV","stackTrace":"","bundleId":"dev.example.shop",\
        "appVersion":"2.1","contextId":1}
        """)
      first.ledger = LaunchLedger(recorded: 5, dropped: ["filtered": 2, "evicted": 1], torn: 1, final: true)
      try await collector.post(raw: first)
      var second = RawBatch()
      second.addContext(1, session: "calm")
      second.add(
        .event,
        """
        {"eventType":"lifecycle","timestamp":\(Self.now - 3000),"state":"previous_launch_ended","details":{"launchId":"\(first.launch)",\
        "verdict":"crash","evidence":"a report","memory":"412 of 450 MB","appVersion":"2.0"},"contextId":1}
        """)
      second.add(
        .event,
        "{\"eventType\":\"hang\",\"timestamp\":\(Self.now - 2000),\"durationMs\":2500.5,\"bundleId\":\"dev.example.shop\",\"contextId\":1}"
      )
      try await collector.post(raw: second)
      try await collector.waitForLaunch(first.launch, stored: 2)
      try await collector.waitForLaunch(second.launch, stored: 2)
      let health = try await collector.json("/api/health")
      #expect(health["apps"].array.map { $0["bundleId"].string } == ["dev.example.shop"])
      #expect(health["sessions"]["count"].int == 2 && health["sessions"]["crashed"].int == 1)
      #expect(health["ends"]["verdicts"]["crash"].int == 1)
      #expect(health["ends"]["versions"].array.map { $0["version"].string } == ["2.0"])
      #expect(health["ends"]["memoryMB"]["max"].double == 412)
      #expect(health["ends"]["recent"].array.first?["sessionId"].string == "crashed")
      #expect(health["hangs"]["count"].int == 1 && health["hangs"]["longestMs"].double == 2500.5)
      #expect(health["hangs"]["versions"].array.first?["ofSessions"].int == 2)
      #expect(health["recorder"]["dropped"]["filtered"].int == 2 && health["recorder"]["dropped"]["evicted"].int == 1)
      #expect(health["recorder"]["lost"].int == 0 && health["recorder"]["torn"].int == 1)
      #expect(health["recorder"]["worst"].array.first?["launchId"].string == first.launch.description)
      let earlier = try await collector.json("/api/health?from=0&to=1000")
      #expect(earlier["sessions"]["count"].int == 0 && earlier["recorder"]["launches"].int == 0)
    }
  }

  @Test func `an empty collector has health too, and what makes no sense is refused`() async throws {
    try await RunningCollector.with { collector in
      let health = try await collector.json("/api/health")
      #expect(health["sessions"]["count"].int == 0 && health["apps"].array.isEmpty)
      #expect(health["sessions"]["trend"].array.count <= 31)
      for query in ["from=x", "to=99999999999999999999", "from=5&to=4"] {
        #expect(try await collector.get("/api/health?\(query)").status == 400)
      }
      // A range of a hundred thousand years is a few parts, not a billion.
      let long = try await collector.json("/api/health?from=-90000000000000&to=90000000000000")
      #expect(long["sessions"]["trend"].array.count <= 400)
    }
  }

  @Test(
    arguments: [
      ("412 of 450 MB", 412, 450), ("7 MB", 7, nil), ("MB", nil, nil), ("", nil, nil), ("-3 MB", nil, nil),
      ("99999999999999999999 MB", nil, nil), ("1 of x MB", 1, nil),
    ] as [(String, Int64?, Int64?)])
  func `memory is read as the SDK writes it`(text: String, used: Int64?, limit: Int64?) {
    let found = LaunchEnds.megabytes(text)
    #expect(found?.used == used)
    #expect(found?.limit == limit)
  }

  @Test(arguments: [
    ("1.9", "1.10", -1), ("2.0", "2.0", 0), ("2.0-beta", "2.0", -1), ("2.0.1", "2.0", 1), ("1.0 (42)", "1.0 (7)", 1),
    ("", "1", -1), ("2", "2.0.0", 0), ("2.0-beta.2", "2.0-beta.10", -1), ("007", "7", 0),
  ])
  func `versions are ordered as people count them`(left: String, right: String, order: Int) {
    #expect(VersionOrder.compare(left, right).signum() == order)
    #expect(VersionOrder.compare(right, left).signum() == -order)
  }
}

extension RawBatch {
  mutating func addCustom(_ name: String, _ properties: String, at timestamp: Int) {
    add(
      .event,
      "{\"eventType\":\"custom\",\"timestamp\":\(timestamp),\"name\":\"\(name)\",\"properties\":{\(properties)},\"contextId\":1}"
    )
  }
}
