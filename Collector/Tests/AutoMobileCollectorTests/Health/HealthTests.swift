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

  @Test func `of a visit that ended with the process, the seconds with late frames are counted, until its sums come`()
    async throws
  {
    try await RunningCollector.with { collector in
      func frames(_ batch: inout RawBatch, _ scope: String, _ screen: String, at time: Int, _ numbers: String) {
        batch.addCustom("Frames", "\"scope\":\"\(scope)\",\"screen\":\"\(screen)\",\(numbers)", at: time)
      }
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      frames(
        &batch, "second", "Menu", at: Self.now - 9000,
        #""durationMs":1000,"frames":50,"slow":4,"frozen":0,"worstMs":80"#)
      frames(
        &batch, "screen", "Menu", at: Self.now - 8000,
        #""durationMs":5000,"frames":300,"slow":4,"frozen":0,"worstMs":80"#)
      for index in 0..<2 {
        frames(
          &batch, "second", "Checkout", at: Self.now - 6000 + 1000 * index,
          #""durationMs":1000,"frames":40,"slow":1,"frozen":1,"worstMs":2538"#)
      }
      batch.add(
        .event,
        """
        {"eventType":"crash","timestamp":\(Self.now - 4000),"errorDomain":"SIGSEGV","stackTrace":"","bundleId":"dev.example.shop",\
        "currentScreen":"Receipt","appVersion":"2.1","contextId":1}
        """)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5)
      let open = try await collector.json("/api/health")["frames"]
      #expect(open["visits"].int == 2 && open["unfinished"].int == 1)
      #expect(
        open["frames"].int == 380 && open["frozen"].int == 2 && open["slow"].int == 6 && open["worstMs"].double == 2538)
      #expect(open["screens"].array.map { $0["screen"].string } == ["Receipt", "Checkout", "Menu"])
      #expect(open["screens"][0]["crashes"].int == 1 && open["screens"][0]["visits"].int == 0)
      #expect(open["screens"][0]["sessionId"].string == "s-1")

      // It lived on: what the seconds told is part of the sums.
      var late = RawBatch()
      late.addContext(1, session: "s-1")
      frames(
        &late, "screen", "Checkout", at: Self.now - 3000,
        #""durationMs":4000,"frames":160,"slow":2,"frozen":2,"worstMs":2538"#)
      // And one that comes behind its sums adds nothing.
      frames(
        &late, "second", "Checkout", at: Self.now - 5500,
        #""durationMs":1000,"frames":40,"slow":1,"frozen":1,"worstMs":2538"#)
      try await collector.post(raw: late)
      try await collector.waitForLaunch(late.launch, stored: 2)
      let told = try await collector.json("/api/health")["frames"]
      #expect(
        told["visits"].int == 2 && told["unfinished"].int == nil && told["frames"].int == 460 && told["frozen"].int == 2
      )
      #expect(told["slow"].int == 6)
    }
  }

  @Test func `failing and slow routes, rage and dead taps are told by where they were`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for (path, status, duration) in [("orders/4711", 503, 100), ("orders/4712", 200, 120), ("menu", 200, 900)] {
        batch.add(
          .event,
          """
          {"eventType":"network_request","timestamp":\(Self.now - 1000),"url":"https://api.example.com/v1/\(path)","method":"GET",\
          "statusCode":\(status),"durationMs":\(duration),"contextId":1}
          """)
      }
      batch.addNavigation(to: "Basket", at: Self.now - 900)
      for kind in ["tap", "rage_tap", "dead_tap", "dead_tap"] {
        batch.add(
          .event,
          """
          {"eventType":"interaction","timestamp":\(Self.now - 800),"interactionType":"\(kind)",\
          "properties":{"text":"Pay","viewType":"UIButton"},"contextId":1}
          """)
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 8)
      let health = try await collector.json("/api/health")
      let requests = health["requests"]
      #expect(requests["count"].int == 3 && requests["failed"].int == 1 && requests["partial"].bool == false)
      #expect(requests["failing"].array.map { $0["route"].string } == ["/v1/orders/:id"])
      #expect(requests["failing"][0]["count"].int == 2)
      #expect(requests["slowest"][0]["route"].string == "/v1/menu" && requests["slowest"][0]["p95Ms"].double == 900)
      #expect(requests["versions"][0]["version"].string == "2.1")
      let taps = health["taps"]
      #expect(taps["rage"].int == 1 && taps["dead"].int == 2 && taps["sessions"].int == 1)
      #expect(taps["places"][0]["screen"].string == "Basket" && taps["places"][0]["element"].string == "Pay")
      #expect(try await collector.json("/api/health?version=9")["taps"]["rage"].int == 0)
      #expect(try await collector.json("/api/health?version=9")["requests"]["count"].int == 0)
    }
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max])
  func `times at the limits stop nobody`(time: Int64) async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      let events = [
        #"{"eventType":"custom","name":"Frames","properties":{"scope":"screen","screen":"A","durationMs":1000,"frames":9}"#,
        #"{"eventType":"custom","name":"Frames","properties":{"scope":"second","screen":"A","durationMs":1000,"frames":9}"#,
        #"{"eventType":"custom","name":"App Launch","properties":{"kind":"cold","totalMs":900}"#,
        #"{"eventType":"interaction","interactionType":"rage_tap","properties":{}"#,
        #"{"eventType":"navigation","destination":"A","source":"custom","arguments":{},"metadata":{}"#,
        #"{"eventType":"network_request","url":"https://a.example/x","method":"GET","durationMs":86400000"#,
        #"{"eventType":"hang","durationMs":2000,"stackTrace":"","bundleId":"a"# + "\"",
        #"{"eventType":"crash","errorDomain":"SIGSEGV","stackTrace":"","bundleId":"a"# + "\"",
        #"{"eventType":"handled_exception","errorDomain":"E","errorMessage":"m","stackTrace":"","bundleId":"a"# + "\"",
        #"{"eventType":"log","level":4,"tag":"t","message":"m","filterName":"all"# + "\"",
        #"{"eventType":"lifecycle","state":"foreground","details":{}"#,
        #"{"eventType":"storage_changed","suiteName":null,"key":"k","newValue":"1","valueType":"int","sequenceNumber":1"#,
      ]
      for event in events { batch.add(.event, event + ",\"timestamp\":\(time),\"contextId\":1}") }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: events.count)
      for path in [
        "/api/health", "/api/sessions", "/api/sessions/s-1", "/api/sessions/s-1/events", "/api/issues", "/api/network",
      ] {
        #expect(try await collector.get(path).status == 200, "\(path)")
      }
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
    let found = ToldEnd.megabytes(text)
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
