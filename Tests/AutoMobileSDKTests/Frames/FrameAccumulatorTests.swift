import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// B5: slow and frozen frames, counted without a display.
@Suite struct FrameAccumulatorTests {
  private var frames = FrameAccumulator()
  private var time = 100.0
  private var reports: [FrameAccumulator.Report] = []

  private mutating func show(_ count: Int = 1, every seconds: Double, nominal: Double? = nil) {
    for _ in 0..<count {
      time += seconds
      if let report = frames.frame(at: time, nominal: nominal ?? seconds) { reports.append(report) }
    }
  }

  @Test func `B5: while frames are smooth there is nothing to tell but the screen's sum`() throws {
    var test = self
    test.show(601, every: 1 / 60)
    #expect(test.reports.isEmpty)
    let end = test.frames.endScreen(pausing: true)
    guard case .screen(let sum) = try #require(end.first), end.count == 1 else { return #expect(Bool(false)) }
    #expect(sum.frames == 600 && sum.slow == 0 && sum.frozen == 0)
    #expect(abs(sum.duration - 10) < 0.001)
    #expect(test.frames.endScreen(pausing: true).isEmpty, "told once")
  }

  @Test func `B5: a frame that takes more than one and a half times its time is slow`() {
    var test = self
    test.show(2, every: 1 / 60)
    // 24.9 ms of 16.7, then 25.1.
    test.show(1, every: 0.0249, nominal: 1 / 60)
    test.show(1, every: 0.0251, nominal: 1 / 60)
    test.show(70, every: 1 / 60)
    guard case .second(let second) = test.reports.first, test.reports.count == 1 else { return #expect(Bool(false)) }
    #expect(second.slow == 1 && second.frozen == 0)
    #expect(second.worst > 0.025 && second.worst < 0.0252)
  }

  @Test func `B5: a frame of more than 700 ms is frozen, and slow`() {
    var test = self
    test.show(2, every: 1 / 60)
    test.show(1, every: 0.69, nominal: 1 / 60)
    test.show(1, every: 0.71, nominal: 1 / 60)
    guard case .second(let second) = test.reports.first else { return #expect(Bool(false)) }
    #expect(second.slow == 2 && second.frozen == 1)
    #expect(second.properties["frozen"] == .int(1) && second.properties["worstMs"] == .int(710))
  }

  @Test func `B5: where the display's rate changes, no frame is slow for that`() {
    var test = self
    test.show(120, every: 1 / 120)
    test.show(60, every: 1 / 60)
    test.show(24, every: 1 / 24)
    test.show(240, every: 1 / 120)
    #expect(test.reports.isEmpty)
    // At 120 a second, a frame that takes two is slow.
    test.show(1, every: 1 / 60, nominal: 1 / 120)
    test.show(130, every: 1 / 120)
    #expect(test.reports.count == 1)
  }

  @Test func `a pause is no frame`() {
    var test = self
    test.show(10, every: 1 / 60)
    _ = test.frames.endScreen(pausing: true)
    test.time += 30
    test.show(10, every: 1 / 60)
    guard case .screen(let sum) = test.frames.endScreen(pausing: true).first else { return #expect(Bool(false)) }
    #expect(sum.frames == 9 && sum.frozen == 0)
  }

  @Test func `times that jump, stand still or are none are left out`() {
    var test = self
    for time in [Double.nan, .infinity, 100, 50, 50, -1e300, 1e300, 100, 100 + 3600] {
      _ = test.frames.frame(at: time, nominal: 1 / 60)
    }
    _ = test.frames.frame(at: 3700.01, nominal: .nan)
    _ = test.frames.frame(at: 3700.02, nominal: -1)
    let reports = test.frames.endScreen(pausing: true)
    for case .screen(let sum) in reports { #expect(sum.duration < 1) }
  }

  @Test func `a second's properties are numbers that can be added up`() {
    var statistics = FrameStatistics()
    for _ in 0..<50 { statistics.add(0.02, nominal: 1 / 60) }
    #expect(
      statistics.properties == [
        "durationMs": .int(1000), "frames": .int(50), "slow": .int(0), "frozen": .int(0), "worstMs": .int(20),
        "fps": .double(50), "frameMs": .double(20),
      ])
    #expect(FrameStatistics().properties["fps"] == .double(0))
  }
}
