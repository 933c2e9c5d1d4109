#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import Foundation
import Testing

/// An app that crashes again and again soon after it has initialized the SDK, seen by the receiver of its reports.
@Suite(.serialized) struct CrashAtLaunchTests {
  private static let launches = 6
  /// From initialization to the crash, in milliseconds.
  static let delays = [0, 20, 100, 500, 2000]

  /// The reports that came, each as often as the receiver had to keep it.
  private func reports(_ receiver: TestReceiver) -> [String] {
    receiver.store.events.values.flatMap(\.values).compactMap { json in
      (try? SdkEventDecoder.decode(Data(json.utf8)) as? SdkCrashEvent)?.report?.reportId
    }
  }

  private func launch(_ way: String, _ directory: TemporaryDirectory, _ receiver: TestReceiver, _ options: [String])
    async throws -> CrashVictim.End
  {
    try await CrashVictim.run(
      way, in: directory.url, ["--live", "--deliver", receiver.url.absoluteString] + options
    ).end
  }

  private func loop(_ delay: Int, _ options: [String] = [], way: String = "null-pointer") async throws -> (
    told: Int, all: [String]
  ) {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    for _ in 0..<Self.launches {
      let end = try await launch(way, directory, receiver, ["--at-launch", "\(delay)"] + options)
      #expect(end == .signal(way == "null-pointer" ? SIGSEGV : SIGABRT))
    }
    let told = Set(reports(receiver)).count
    // One that is well, for as long as it takes.
    let healthy = try ProcessRun(
      "crash-victim", ["linger", directory.url.path, "--live", "--deliver", receiver.url.absoluteString])
    _ = await eventually { Set(reports(receiver)).count >= Self.launches }
    // Of each of those launches, whatever was recorded has arrived, or was counted.
    #expect(await eventually { receiver.store.ledgers.values.filter(\.final).count >= Self.launches })
    _ = receiver.dropsOfLedgersThatAddUp(Self.launches)
    healthy.kill()
    _ = await healthy.status()
    return (told, reports(receiver))
  }

  private func expectToldInTheLoop(_ result: (told: Int, all: [String]), atLeast least: Int) {
    #expect(result.told >= least, "\(result.told) while the loop lasted")
    #expect(result.all.count == Self.launches, "each once")
    #expect(Set(result.all).count == Self.launches, "every one")
  }

  @Test(arguments: delays)
  func `its reports are told while it does`(delay: Int) async throws {
    expectToldInTheLoop(try await loop(delay), atLeast: 4)
  }

  @Test(.timeLimit(.minutes(10)), arguments: delays)
  func `also on a machine that has other things to do`(delay: Int) async throws {
    let burners = try Burners()
    expectToldInTheLoop(try await loop(delay), atLeast: 4)
    withExtendedLifetime(burners) {}
  }

  @Test func `so are exceptions, where no signal is handled`() async throws {
    expectToldInTheLoop(try await loop(0, ["--without-signals"], way: "cpp-exception"), atLeast: 4)
  }

  @Test(arguments: [0, 100])
  func `whoever lets initialization wait has each told before the next`(delay: Int) async throws {
    expectToldInTheLoop(try await loop(delay, ["--waits"]), atLeast: Self.launches - 1)
  }
}
#endif
