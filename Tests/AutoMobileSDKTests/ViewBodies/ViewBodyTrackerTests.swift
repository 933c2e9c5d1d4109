import AutoMobileSDK
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// A19: counts, rolling average, durations, snapshots each second.
@Suite struct ViewBodyTrackerTests {
  /// A tracker whose clock and timer are the test's.
  private final class Stage: Sendable {
    let now = Locked(10_000)
    let timer = FakeTimer()
    let harness: SdkHarness
    let tracker: ViewBodyTracker

    init(isEnabled: Bool = true) throws {
      harness = try SdkHarness { $0.bufferSize = 1_000_000 }
      let now = now
      tracker = ViewBodyTracker { now.withLock { $0 } }
      tracker.initialize(buffer: try #require(harness.sdk.getEventBuffer()))
      if isEnabled { tracker.setEnabled(true) { [timer] in timer } }
    }

    deinit { tracker.reset() }

    func pass(_ milliseconds: Int) { now.withLock { $0 += milliseconds } }

    /// A second is over; what was recorded then.
    func second() throws -> [ViewBodySnapshot] {
      let before = try events().count
      pass(1000)
      timer.fire()
      return try events().dropFirst(before).flatMap(\.snapshots)
    }

    func events() throws -> [SdkViewBodySnapshotEvent] {
      try harness.recorded().compactMap { $0.event as? SdkViewBodySnapshotEvent }
    }
  }

  @Test func `evaluations are counted for each id, in the order in which these were first seen`() throws {
    let stage = try Stage()
    for _ in 0..<3 { stage.tracker.recordBodyEvaluation(id: "row", viewName: "Product row") }
    stage.tracker.recordBodyEvaluation(id: "list")
    let snapshots = stage.tracker.getSnapshots()
    #expect(snapshots.map(\.id) == ["row", "list"])
    #expect(snapshots.map(\.totalCount) == [3, 1])
    #expect(snapshots.map(\.viewName) == ["Product row", nil])
    #expect(snapshots.map(\.averageDurationMs) == [nil, nil])
  }

  @Test func `the rolling average is what came within the last second`() throws {
    let stage = try Stage()
    func rate() -> Double? { stage.tracker.getSnapshots().first?.rollingAverage }
    for _ in 0..<10 {
      stage.tracker.recordBodyEvaluation(id: "row")
      stage.pass(100)
    }
    #expect(rate() == 10 || rate() == 9, "the first is about to leave the second")
    stage.pass(500)
    #expect(rate() == 5 || rate() == 4)
    stage.pass(600)
    #expect(rate() == 0)
    #expect(stage.tracker.getSnapshots().first?.totalCount == 10)
  }

  @Test func `a rate looks back one second, whatever the steps of time`() {
    var random = SeededRandom(19)
    var rate = RollingRate()
    var times: [Int] = []
    var now = 5_000_000
    for _ in 0..<5000 {
      now += [0, 0, 1, 3, 17, 62, 63, 130, 990, 1100, 60_000][Int.random(in: 0..<11, using: &random)]
      times.append(now)
      rate.note(at: now)
      let seen = Int(rate.perSecond(at: now))
      #expect(seen <= times.count { $0 > now - 1000 } && seen >= times.count { $0 > now - 937 })
    }
    rate.note(at: 0)
    rate.note(at: -1)
    #expect(rate.perSecond(at: now) >= 2, "a clock that went back counts as now")
    rate.note(at: .max)
    #expect(rate.perSecond(at: .max) == 1)
  }

  @Test func `durations are averaged, and what is none is left out`() throws {
    let stage = try Stage()
    stage.tracker.recordBodyEvaluation(id: "row")
    for duration in [2, 4, .nan, .infinity, -1] { stage.tracker.recordDuration(id: "row", durationMs: duration) }
    #expect(stage.tracker.getSnapshots().first?.averageDurationMs == 3)
    #expect(stage.tracker.getSnapshots().first?.totalCount == 1)
    stage.tracker.recordDuration(id: "row", durationMs: .greatestFiniteMagnitude)
    stage.tracker.recordDuration(id: "row", durationMs: .greatestFiniteMagnitude)
    #expect(stage.tracker.getSnapshots().first?.averageDurationMs == nil, "too large to add up")
  }

  @Test func `each second tells what has changed, and what has come to rest`() throws {
    let stage = try Stage()
    #expect(stage.timer.interval == 1000)
    #expect(try stage.second().isEmpty, "nothing has happened")
    stage.tracker.recordBodyEvaluation(id: "row")
    stage.tracker.recordBodyEvaluation(id: "list")
    stage.timer.fire()
    #expect(try stage.events().last?.snapshots.map(\.rollingAverage) == [1, 1])
    stage.pass(500)
    stage.tracker.recordBodyEvaluation(id: "row")
    stage.timer.fire()
    #expect(try stage.events().last?.snapshots.map(\.id) == ["row"])
    #expect(try stage.second().map(\.rollingAverage) == [0, 0], "both have come to rest")
    #expect(try stage.second().isEmpty)
    #expect(try stage.second().isEmpty)
    stage.tracker.recordDuration(id: "list", durationMs: 7)
    #expect(try stage.second().map(\.averageDurationMs) == [7])
    #expect(try stage.events().count == 4)
  }

  @Test func `switched off it counts nothing, keeps what there is, and its timer is gone`() throws {
    let stage = try Stage(isEnabled: false)
    #expect(!stage.tracker.isEnabled)
    stage.tracker.recordBodyEvaluation(id: "row")
    stage.tracker.recordDuration(id: "row", durationMs: 1)
    #expect(stage.tracker.getSnapshots().isEmpty)
    stage.tracker.setEnabled(true) { [timer = stage.timer] in timer }
    #expect(stage.tracker.isEnabled && stage.timer.isScheduled)
    stage.tracker.setEnabled(true)
    #expect(stage.timer.isScheduled && stage.timer.scheduledCount == 1, "a second time changes nothing")
    stage.tracker.recordBodyEvaluation(id: "row")
    stage.tracker.setEnabled(false)
    stage.tracker.setEnabled(false)
    #expect(!stage.tracker.isEnabled && !stage.timer.isScheduled)
    stage.timer.fireLate()
    #expect(try stage.events().isEmpty, "a call that came too late")
    stage.tracker.recordBodyEvaluation(id: "row")
    #expect(stage.tracker.getSnapshots().map(\.totalCount) == [1])
    stage.tracker.reset()
    #expect(stage.tracker.getSnapshots().isEmpty)
  }

  @Test func `another timer takes the place of the first`() throws {
    let stage = try Stage()
    let other = FakeTimer()
    stage.tracker.setEnabled(true) { other }
    #expect(!stage.timer.isScheduled && other.isScheduled)
    stage.tracker.recordBodyEvaluation(id: "row")
    stage.timer.fireLate()
    #expect(try stage.events().isEmpty)
    other.fire()
    #expect(try stage.events().count == 1)
  }

  @Test func `of too many ids the rest is counted as one`() throws {
    let stage = try Stage()
    for round in 0..<2 {
      for number in 0..<1000 {
        stage.tracker.recordBodyEvaluation(id: "view \(number)", viewName: round == 0 ? nil : "named \(number)")
      }
    }
    stage.tracker.recordBodyEvaluation(id: "(other views)", viewName: "no name for all of them")
    let snapshots = stage.tracker.getSnapshots()
    #expect(snapshots.count == 513)
    #expect(snapshots[511].id == "view 511" && snapshots[511].viewName == "named 511")
    #expect(
      snapshots[512]
        == ViewBodySnapshot(
          id: "(other views)", viewName: nil, totalCount: 977, rollingAverage: 977, averageDurationMs: nil))
    #expect(try stage.second().count == 513)
    #expect(try stage.events().map(\.snapshots.count) == [128, 128, 128, 128, 1])
  }

  @Test func `hostile ids are bounded, told apart by their bytes, and arrive`() throws {
    let stage = try Stage()
    let ids = [
      "", "\0", "👩‍👩‍👧‍👦", "e\u{301}", "é", "\u{202E}x", String(repeating: "\u{1}", count: 1 << 20),
      String(repeating: "🏳️‍🌈", count: 50_000), "\"\\\n",
    ]
    for id in ids {
      stage.tracker.recordBodyEvaluation(id: id, viewName: id)
      stage.tracker.recordDuration(id: id, durationMs: 1)
    }
    for number in 0..<600 {
      stage.tracker.recordBodyEvaluation(id: String(repeating: "\u{1}", count: 250) + "\(number)", viewName: ids[6])
    }
    let told = try stage.second()
    #expect(told.count == 513)
    #expect(told.prefix(ids.count).map(\.totalCount) == ids.map { _ in 1 })
    #expect(told.prefix(6).map(\.id) == Array(ids.prefix(6)))
    #expect(told.allSatisfy { $0.id.utf8.count <= 260 && ($0.viewName?.utf8.count ?? 0) <= 260 })
    #expect(stage.harness.sdk.diagnostics.dropped.values.allSatisfy { $0 == 0 })
  }

  @Test func `eight threads at once lose no evaluation`() async throws {
    let stage = try Stage()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<2000 {
            stage.tracker.recordBodyEvaluation(id: "view \((number + thread) % 20)")
            if number % 500 == 0 { stage.timer.fire() }
          }
        }
      }
    }
    #expect(stage.tracker.getSnapshots().map(\.totalCount) == Array(repeating: 800, count: 20))
  }
}
