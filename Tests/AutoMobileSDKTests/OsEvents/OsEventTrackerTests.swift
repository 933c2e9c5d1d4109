import TestTools
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A24: what the operating system says, each once, and what changes quickly once a second.
@Suite struct OsEventTrackerTests {
  @Test func `A24 a slide of the brightness is one event at once, and the last value after a second`() {
    let bench = TrackerBench()
    for percent in 1...50 { bench.source.say(.brightness(percent: percent)) }
    #expect(bench.takeTold() == [.init(state: "brightness", details: ["level": "1"])])
    #expect(bench.timers.withLock { $0.compactMap(\.interval) } == [1000])
    bench.second()
    #expect(bench.takeTold() == [.init(state: "brightness", details: ["level": "50"])])
    bench.second()
    #expect(bench.takeTold() == [])
    #expect(bench.runningTimers == 0, "while nothing changes, nothing runs")
    bench.source.say(.brightness(percent: 7))
    #expect(bench.takeTold().map(\.details) == [["level": "7"]])
  }

  @Test func `A24 a value that comes back within the second is not told again`() {
    let bench = TrackerBench()
    for percent in [10, 90, 10] { bench.source.say(.brightness(percent: percent)) }
    bench.second()
    #expect(bench.takeTold().map(\.details) == [["level": "10"]])
    #expect(bench.runningTimers == 0)
  }

  @Test func `A24 what waits is told before the app leaves`() {
    for stage in [ApplicationStage.background, .terminated] {
      let bench = TrackerBench()
      bench.source.say(.brightness(percent: 1))
      bench.source.say(.brightness(percent: 2))
      bench.source.say(.application(stage))
      #expect(bench.takeTold().map(\.state) == ["brightness", "brightness", stage.rawValue])
      bench.second()
      #expect(bench.takeTold() == [])
    }
  }

  @Test func `A24 battery and brightness do not hold each other up`() {
    let bench = TrackerBench()
    bench.source.say(.brightness(percent: 1))
    bench.source.say(.battery(BatteryReading(level: 0.5, charging: .charging)))
    #expect(bench.takeTold().map(\.state) == ["brightness", "battery"])
  }

  @Test func `A24 low-power mode and heat are details`() {
    let bench = TrackerBench()
    bench.power.withLock { $0 = PowerState(lowPowerMode: true, thermalState: "serious") }
    bench.source.say(.battery(BatteryReading(level: 0.123, charging: .unplugged)))
    bench.source.say(.application(.foreground))
    bench.source.say(.connectivity(Connectivity(status: .satisfied, transport: .wifi)))
    let held = ["lowPowerMode": "true", "thermalState": "serious"]
    #expect(
      bench.takeTold() == [
        .init(state: "battery", details: held.merging(["level": "12", "charging": "unplugged"]) { $1 }),
        .init(state: "foreground", details: held),
        .init(
          state: "connectivity",
          details: ["status": "satisfied", "transport": "wifi", "isExpensive": "false", "isConstrained": "false"]),
      ])
  }

  @Test func `A24 a short loss of the network is told`() {
    let bench = TrackerBench()
    let wifi = OsSignal.connectivity(Connectivity(status: .satisfied, transport: .wifi))
    let none = OsSignal.connectivity(Connectivity(status: .unsatisfied, transport: .none, reason: "wifi_denied"))
    for signal in [wifi, wifi, none, none, wifi] { bench.source.say(signal) }
    #expect(bench.takeTold().map { $0.details["status"] } == ["satisfied", "unsatisfied", "satisfied"])
  }

  @Test(
    arguments: [
      (-1.0, nil), (0, "0"), (0.004, "0"), (0.005, "1"), (0.999, "100"), (1, "100"), (7, "100"), (.infinity, "100"),
      (.nan, nil), (-.infinity, nil),
    ] as [(Double, String?)])
  func `A24 a level is whole percents`(level: Double, percent: String?) {
    let reading = BatteryReading(level: level, charging: .unknown)
    #expect(reading.details["level"] == percent)
    #expect(reading.isKnown == (percent != nil))
  }

  /// All orders, up to six signals: each change of the stage is one event, and nothing else is.
  @Test func `A24 whatever the order of the stages, each change is told once`() {
    let stages = ApplicationStage.allCases
    for length in 1...6 {
      var count = 1
      for _ in 0..<length { count *= stages.count }
      for number in 0..<count {
        var rest = number
        let order = (0..<length).map { _ in
          defer { rest /= stages.count }
          return stages[rest % stages.count]
        }
        let bench = TrackerBench()
        order.forEach { bench.source.say(.application($0)) }
        let changes = order.indices.filter { $0 == 0 || order[$0] != order[$0 - 1] }.map { order[$0].rawValue }
        let told = bench.takeTold().map(\.state)
        if told != changes { Issue.record("\(order) told \(told)") }
      }
    }
  }

  /// At most one event a second, and in the end the last value, for any order of changes and seconds.
  @Test(arguments: 0..<200)
  func `A24 whatever comes, no second has two events and the last value counts`(seed: Int) {
    var random = SeededRandom(UInt64(seed))
    let bench = TrackerBench()
    var last: Int?
    var inThisSecond = 0
    for _ in 0..<100 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        inThisSecond = 0
        bench.second()
      } else {
        let percent = Int.random(in: 0..<4, using: &random)
        bench.source.say(.brightness(percent: percent))
        last = percent
      }
      inThisSecond += bench.takeTold().count
      #expect(inThisSecond <= 1)
    }
    bench.source.say(.brightness(percent: 1000))
    for _ in 0..<3 { bench.second() }
    let told = bench.takeTold().last?.details["level"]
    #expect(last != nil && told == "1000")
    #expect(bench.runningTimers == 0)
  }

  @Test func `A24 what is under way when it is stopped is not told`() {
    let bench = TrackerBench()
    bench.source.say(.brightness(percent: 1))
    bench.source.say(.brightness(percent: 2))
    _ = bench.takeTold()
    bench.tracker.stop()
    #expect(bench.source.isStopped)
    #expect(bench.runningTimers == 0)
    bench.timers.withLock { $0 }.forEach { $0.fireLate() }
    bench.source.say(.application(.foreground))
    bench.source.say(.brightness(percent: 3))
    #expect(bench.takeTold() == [])
    #expect(bench.runningTimers == 0)
  }
}
