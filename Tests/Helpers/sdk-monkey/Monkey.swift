import AutoMobileSDK
import Foundation

struct Result: Codable {
  var seed: UInt64
  var calls: Int
  var seconds: Double
  /// Of the process, in bytes: after two tenths of the calls, and after all of them.
  var memoryEarly: Int
  var memoryLate: Int
  var launchId: String?
  var recorded: UInt64
  var dropped: [String: UInt64]
  var internalFailures: [String: UInt64]
}

final class Monkey: Sendable {
  private let arguments: Arguments
  private let stage: Stage
  /// Each act as often as its weight.
  private let urn: [Int]

  init(_ arguments: Arguments) {
    self.arguments = arguments
    SdkEventBroadcaster.shared.setCtrlProxyUrl(nil)
    let configuration = AutoMobileConfiguration(
      // Nobody listens there, so delivery is busy failing.
      endpoint: URL(string: "http://127.0.0.1:1"), flushIntervalMs: 20,
      storage: .directory(arguments.directory.appendingPathComponent("journal")), journalBudget: 16 << 20)
    stage = Stage(
      sdk: .shared, directory: arguments.directory, isSanitized: arguments.isSanitized, configuration: configuration,
      props: Props())
    urn = Act.all.indices.flatMap { [Int](repeating: $0, count: Act.all[$0].weight) }
  }

  func run() -> Result {
    // Before anybody else can begin with another configuration.
    onThreads { [self] _ in stage.sdk.initialize(bundleId: "com.example.monkey", configuration: stage.configuration) }
    let start = Date()
    // Twice, each time with new threads: the allocator has come to know as many as there will be at once.
    let early = play(arguments.calls / 10, seconds: 0, salt: 1) + play(arguments.calls / 10, seconds: 0, salt: 4)
    let memoryEarly = memory
    let late = play(arguments.calls - early, seconds: arguments.seconds, salt: 2)
    let memoryLate = memory
    let seconds = Date().timeIntervalSince(start)
    stage.sdk.setEnabled(true)
    // When that has been done, everything that was said before has been.
    let isAllowed = DispatchSemaphore(value: 0)
    stage.sdk.setConsent(.granted) { isAllowed.signal() }
    isAllowed.wait()
    stage.sdk.trackEvent(name: "the last")
    stage.sdk.shutdown()
    let after = play(arguments.calls / 100, seconds: 0, salt: 3)
    stage.props.swap(nil as BatchObservation?)
    let diagnostics = stage.sdk.diagnostics
    return Result(
      seed: arguments.seed, calls: early + late + after, seconds: seconds, memoryEarly: memoryEarly,
      memoryLate: memoryLate, launchId: diagnostics.launchId, recorded: diagnostics.recorded,
      dropped: diagnostics.dropped, internalFailures: diagnostics.internalFailures)
  }

  /// At least so many calls, for at least so long; how many there were.
  private func play(_ calls: Int, seconds: Double, salt: UInt64) -> Int {
    let each = calls / arguments.threads + 1
    let end = Date().addingTimeInterval(seconds)
    let total = Tally()
    onThreads { [self] number in
      var random = Hostile(seed: arguments.seed &+ UInt64(number) &* 1_000_003 &+ salt)
      var done = 0
      while done < each || Date() < end {
        for _ in 0..<100 {
          let act = Act.all[urn[random.below(urn.count)]]
          act.body(&random, stage)
        }
        done += 100
      }
      total.add(done)
    }
    return total.value
  }

  private func onThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<arguments.threads {
      group.enter()
      Thread.detachNewThread {
        body(number)
        group.leave()
      }
    }
    group.wait()
  }

  /// Resident, in bytes.
  private var memory: Int {
    let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

private final class Tally: @unchecked Sendable {
  // Unchecked: everything is reached under the lock.
  private let lock = NSLock()
  private var sum = 0

  var value: Int { lock.withLock { sum } }
  func add(_ amount: Int) { lock.withLock { sum += amount } }
}
