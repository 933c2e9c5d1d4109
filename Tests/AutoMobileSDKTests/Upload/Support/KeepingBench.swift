import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Journals and workers that send what rules name, in one directory, with a clock that the test moves.
final class KeepingBench: Sendable {
  let bench: DeliveryBench
  /// When the events of a test begin, in milliseconds since 1970.
  static let start: Int64 = 1_700_000_000_000

  init() throws { bench = try DeliveryBench() }

  var clock: ManualClock { bench.clock }

  func keeper(
    _ journal: Journal, _ rules: [UploadRule], asks: [UploadAsk] = [], change: (inout UploadRules) -> Void = { _ in }
  )
    -> UploadKeeper
  {
    let keeper = UploadKeeper(
      journal: journal, directory: bench.directory.url, owner: "test", clock: bench.clock.clock)
    var all = UploadRules(rules)
    change(&all)
    keeper.follow(.whenTriggered(all), asks: asks)
    return keeper
  }

  func worker(_ journal: Journal, to receiver: TestReceiver, _ keeper: UploadKeeper) throws -> DeliveryWorker {
    try bench.worker(journal, to: receiver.url) { $0.keeper = keeper }
  }

  /// Has everything decided and sent that can be now.
  func settle(_ worker: DeliveryWorker) async {
    let isSettled = Locked(false)
    worker.deliverNow { isSettled.withLock { $0 = true } }
    #expect(await eventually(bench.clock) { isSettled.withLock { $0 } })
  }

  /// A journal in which a launch before this one is over.
  func journal(after dead: LaunchID) async throws -> Journal { try await bench.journal(after: [dead]) }
}

extension Journal {
  /// An event some seconds after the beginning, with a number by which a test knows it again.
  func log(_ number: Int, at seconds: Double, level: LogLevel = .info, context: Int = 1, filling: Int = 0) {
    appendSurely(
      #"{"eventType":"log","timestamp":\#(KeepingBench.start + Int64(seconds * 1000)),"level":\#(level.rawValue),"#
        + #""name":"event \#(number)","text":"\#(String(repeating: "x", count: filling))","contextId":\#(context)}"#)
  }
}
