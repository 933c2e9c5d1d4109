#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import Testing

/// Processes that record through the public API and are killed in the middle of it.
@Suite struct SdkKillTests {
  /// 30 in every run, 500 in a soak.
  private static let kills = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 30 : 500

  @Test func `of a process killed at any moment, everything recorded is there exactly once`() async throws {
    let directory = try TemporaryDirectory()
    let recordings = directory.file("recordings")
    for number in 0..<Self.kills {
      let witness = try Witness(directory.file("witness-\(number)"))
      let victim = try ProcessRun("sdk-victim", [recordings.path, witness.url.path])
      guard await eventually(within: 60, { witness.total > 0 || !victim.isRunning }), victim.isRunning else {
        Issue.record("the victim ended by itself: \(await victim.status())")
        return
      }
      try await Task.sleep(nanoseconds: UInt64.random(in: 0..<15_000_000))
      victim.kill()
      #expect(await victim.status() == SIGKILL)
      try verify(witness, recordings)
    }
  }

  private func verify(_ witness: Witness, _ recordings: URL) throws {
    let harness = try SdkHarness(bundleId: "com.example.victim") { $0.storage = .directory(recordings) }
    let journal = try #require(harness.sdk.runtime).journal
    var found = [[Int: Int]](repeating: [:], count: 4)
    var recorded = 0
    var dropped = 0
    // The victim's, and that of the last verification, which recorded nothing.
    for launch in journal.launches() where !journal.isOwn(launch) {
      while let chunk = journal.read(launch, maximumBytes: 256 * 1024, maximumRecords: 500) {
        for record in chunk.records where record.kind == .event || record.kind == .eventAndBreadcrumb {
          let (thread, n) = try #require(try identity(Data(chunk.bytes[record.payload])))
          found[thread][n, default: 0] += 1
        }
        journal.acknowledge(launch, upTo: chunk.to)
      }
      let ledger = try #require(journal.ledger(of: launch))
      #expect(ledger.final)
      recorded += Int(ledger.recorded)
      dropped += Int(ledger.dropped.values.reduce(0, +))
      journal.finish(launch)
    }

    var missing = 0
    for thread in 0..<4 {
      let returned = witness.returned(thread)
      missing += (0..<returned).filter { found[thread][$0] == nil }.count
      #expect(found[thread].values.allSatisfy { $0 == 1 }, "nothing twice")
      // The call that was cut off may be there; one that was never made may not.
      #expect(found[thread].keys.allSatisfy { $0 <= returned })
    }
    #expect(missing <= dropped, "of the calls that returned, \(missing) are missing and \(dropped) counted as lost")
    let total = found.reduce(0) { $0 + $1.count }
    #expect(recorded == total + dropped)
  }

  /// Which event of the victim's this is; nil when it is not one, whole and of the right type.
  private func identity(_ payload: Data) throws -> (thread: Int, n: Int)? {
    let event = try SdkEventDecoder.decode(payload)
    let (kind, thread, n): (Int, String?, String?)
    switch event {
    case let event as SdkCustomEvent where event.name == "victim":
      (kind, thread, n) = (0, event.properties["thread"], event.properties["n"])
    case let event as SdkNavigationEvent where event.source == .custom:
      (kind, thread, n) = (1, event.metadata["thread"], event.destination)
    case let event as SdkLifecycleEvent: (kind, thread, n) = (2, event.details["thread"], event.state)
    case let event as SdkNavigationEvent where event.source == .deepLink:
      (kind, thread, n) = (3, event.arguments["thread"], event.destination)
    default: return nil
    }
    guard let thread = thread.flatMap(Int.init), (0..<4).contains(thread), let n = n.flatMap(Int.init), n % 4 == kind
    else { return nil }
    return (thread, n)
  }
}
#endif
