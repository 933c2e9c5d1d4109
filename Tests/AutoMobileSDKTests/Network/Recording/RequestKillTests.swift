#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import AutoMobileHTTP
import AutoMobileJournal
import Foundation
import Testing

/// Processes that are killed in the middle of requests, and what the launches after them tell.
@Suite struct RequestKillTests {
  /// 15 in every run, 300 in a soak.
  private static let kills = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 15 : 300

  @Test func `of a process killed at any moment, every request is there once: as it ended, or as unfinished`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let server = try await OddServer()
    for number in 0..<Self.kills {
      let recordings = directory.file("recordings-\(number)")
      let witness = try Witness(directory.file("witness-\(number)"))
      let victim = try ProcessRun("request-victim", [recordings.path, witness.url.path, server.url.absoluteString])
      guard await eventually(within: 60, { witness.returned(4) == 1 || !victim.isRunning }), victim.isRunning else {
        Issue.record("the victim ended by itself: \(await victim.status())")
        return
      }
      try await Task.sleep(nanoseconds: UInt64.random(in: 0..<20_000_000))
      victim.kill()
      #expect(await victim.status() == SIGKILL)
      try verify(witness, recordings)
      try expectNoSecret(in: recordings)
    }
  }

  private func verify(_ witness: Witness, _ recordings: URL) throws {
    let harness = try NetworkHarness.next(in: recordings, bundleId: "com.example.victim")
    let runtime = try #require(harness.sdk.sdk.runtime)
    runtime.earlierLaunches.look()
    let victim = try #require(runtime.journal.launches().first { !runtime.journal.isOwn($0) })
    let before = try exchanges(victim, runtime.journal)
    let told = try exchanges(runtime.journal.launch, runtime.journal)
    #expect(before.allSatisfy { !$0.isUnfinished } && told.allSatisfy { $0.isUnfinished && $0.error == nil })

    let all = before + told
    #expect(Set(all.map(\.id)).count == all.count, "nothing twice")
    let paths = told.compactMap(\.path)
    #expect(paths.count { $0 == "/slow/600" } == 1 && paths.count { $0 == "/stall" } == 1)
    for thread in 0..<4 {
      let returned = witness.returned(thread)
      let numbers = { (exchanges: [HTTPExchange]) in exchanges.compactMap { $0.number(ofThread: thread) }.sorted() }
      // Each that the app has had an answer to; the one after that may have been noted, or not have been sent.
      let all = (numbers(before) + numbers(told)).sorted()
      #expect([returned, returned + 1].map { Array(0..<$0) }.contains(all))
      // The app is told before its request is recorded as ended, one after the other.
      #expect(numbers(before) == Array(0..<numbers(before).count))
    }
  }

  /// The requests in a launch's journal.
  private func exchanges(_ launch: LaunchID, _ journal: Journal) throws -> [HTTPExchange] {
    try journal.lastRecords(of: [.event, .eventAndBreadcrumb], limit: .max, launch: launch)
      .filter { $0.payload.starts(with: #"{"eventType":"network_request""#.utf8) }
      .map { try JSONDecoder().decode(HTTPExchange.self, from: Data($0.payload)) }
  }

  private func expectNoSecret(in recordings: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(at: recordings, includingPropertiesForKeys: nil) {
      let bytes = (try? Data(contentsOf: file)) ?? Data()
      #expect(bytes.range(of: Data("planted-secret".utf8)) == nil, "\(file.lastPathComponent)")
    }
  }
}

extension HTTPExchange {
  /// Of the victim's, when that thread made it.
  fileprivate func number(ofThread thread: Int) -> Int? {
    let items = URLComponents(string: url)?.queryItems ?? []
    guard items.first(where: { $0.name == "thread" })?.value == String(thread) else { return nil }
    return items.first { $0.name == "n" }?.value.flatMap(Int.init)
  }
}
#endif
