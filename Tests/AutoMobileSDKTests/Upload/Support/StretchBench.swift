import Foundation

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// A journal that is looked at for what of replays is named, and the file in which that is written down.
struct StretchBench {
  static let start = KeepingBench.start
  let keeping: KeepingBench
  let file: URL

  init() throws {
    keeping = try KeepingBench()
    file = keeping.bench.directory.file("stretches-test.json")
  }

  func journal() throws -> Journal { try keeping.bench.journal() }

  func stretches() -> ReplayStretches {
    let stretches = ReplayStretches(url: file, holding: .unknown, wall: { Self.start })
    stretches.use()
    return stretches
  }

  /// Looks at a journal once, by a process that is then killed.
  func look(
    _ journal: Journal, _ rules: [UploadRule], asks: [UploadAsk] = [], earlier: [LaunchID] = []
  ) -> ReplayStretches {
    let stretches = stretches()
    let keeper = keeping.keeper(journal, rules, asks: asks)
    keeper.replay = stretches
    keeper.follow(.whenTriggered(UploadRules(rules, keepDays: 5)), asks: asks)
    keeper.look(earlier)
    return stretches
  }

  /// In seconds since the beginning.
  func seconds(_ stretches: ReplayStretches, of launch: LaunchID) -> [ClosedRange<Double>] {
    stretches.ranges(of: launch.description).map { range in
      func seconds(_ time: Int64) -> Double { time == .max ? .infinity : Double(time - Self.start) / 1000 }
      return seconds(range.lowerBound)...seconds(range.upperBound)
    }
  }

  func errors(_ name: String = "errors", replay: Bool = true) -> UploadRule {
    UploadRule(
      name, when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 0.5, minutesAfter: 1, replay: replay))
  }

  /// Recorded when it was over.
  func request(from: Double, seconds: Double, context: Int, in journal: Journal) {
    journal.appendSurely(
      #"{"eventType":"network_request","timestamp":\#(Self.start + Int64(from * 1000)),"url":"u","method":"GET","#
        + #""durationMs":\#(seconds * 1000),"contextId":\#(context)}"#)
  }
}
