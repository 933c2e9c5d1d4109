#if os(macOS) || os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
@testable import AutoMobileSDK
import AutoMobileJournal
import Foundation
import Testing

/// Real main threads that really hang.
@Suite(.serialized) struct HangVictimTests {
  @Test(arguments: [
    ("asleep", "Asleep", "run-loop"), ("busy", "Busy", "run-loop"), ("lock", "ForALock", "run-loop"),
    ("loader", "Asleep", "run-loop"), ("busy", "Busy", "dispatch-main"),
    ("lock", "ForALock", "dispatch-main"),
  ])
  func `a hang is one event, with the function that is to blame`(_ hang: (way: String, function: String, mode: String))
    async throws
  {
    let victim = try await HangVictim(nil, hang.mode)
    let ordered = Clocks.uptimeMilliseconds()
    try victim.hang(hang.way)
    // Known while it lasts, with its stack.
    try #require(await eventually { victim.provisional.contains { !$0.guilty.isEmpty } })
    #expect(victim.events.isEmpty)
    try await victim.release()
    let over = Clocks.uptimeMilliseconds()
    try #require(await eventually { !victim.events.isEmpty && victim.ends > 0 })
    let events = victim.events
    #expect(events.count == 1)
    let event = try #require(events.first)
    // At the top, but for the look at whether it may go on.
    #expect(event.guilty.prefix(2).contains { $0.contains(hang.function) }, "\(event.stackTrace ?? "no stack")")
    #expect(event.stackTrace?.contains(hang.function) == true)
    #expect(event.durationMs >= 500)
    #expect(event.durationMs <= Double(over - ordered + 1))
    #expect(event.report?.durationMs == event.durationMs)
    #expect(event.report?.anr == (event.durationMs >= 5000))
    #expect(event.currentScreen == "Checkout")
    #expect(event.bundleId == "com.example.hanging")
    let samples = try #require(event.report?.samples)
    #expect(samples.allSatisfy { $0.count >= 1 && !$0.frames.isEmpty })
    #expect(event.report?.images.allSatisfy { $0.uuid != nil || $0.name == "[vdso]" } == true)
  }

  @Test func `a hang is known although the main thread holds the allocator, and so is its stack when it is over`()
    async throws
  {
    let victim = try await HangVictim()
    try victim.hang("allocator")
    try #require(await eventually { !victim.provisional.isEmpty })
    try await victim.release()
    try #require(await eventually { !victim.events.isEmpty })
    #expect(victim.events.count == 1)
    let event = try #require(victim.events.first)
    #expect(event.guilty.prefix(3).contains { $0.contains("WithTheAllocator") }, "\(event.stackTrace ?? "")")
    #expect(victim.provisional.first?.report?.reportId == event.report?.reportId)
  }

  @Test func `where the time went is counted by stacks`() async throws {
    let victim = try await HangVictim()
    try victim.hang("lock")
    try #require(await eventually { victim.provisional.count >= 4 })
    try await victim.release()
    try #require(await eventually { !victim.events.isEmpty })
    let samples = try #require(victim.events.first?.report?.samples)
    #expect(samples.count == 1)
    #expect(samples.first?.count ?? 0 >= 3)
  }

  @Test func `several hangs are as many events`() async throws {
    let victim = try await HangVictim()
    for number in 1...3 {
      try victim.hang("asleep")
      try #require(await eventually { Set(victim.provisional.map { $0.report?.reportId }).count == number })
      try await victim.release()
      try #require(await eventually { victim.events.count == number && victim.ends == number })
    }
    #expect(Set(victim.events.map { $0.report?.reportId }).count == 3)
  }

  @Test func `a process that was stopped did not hang`() async throws {
    let victim = try await HangVictim()
    for milliseconds in [5000, 700, 1000] as [UInt64] {
      victim.stop()
      try await Task.sleep(nanoseconds: milliseconds * 1_000_000)
      victim.resume()
    }
    // It is still on watch, and this is the first hang that it sees.
    try victim.hang("asleep")
    try #require(await eventually { victim.provisional.contains { !$0.guilty.isEmpty } })
    try await victim.release()
    try #require(await eventually { !victim.events.isEmpty })
    #expect(victim.events.count == 1)
    #expect(Set(victim.provisional.map { $0.report?.reportId }).count == 1)
  }

  /// As an app has it that says nothing else.
  private static let defaults = ["HANG_THRESHOLD_MS": "2000", "HANG_INTERVAL_MS": "500"]

  /// How often the two tests below do what they do: a hundred of each kind in `make soak`, and as often as one likes.
  private static let rounds: Int = {
    let variables = ProcessInfo.processInfo.environment
    return variables["HANG_ROUNDS"].flatMap { Int($0) } ?? (variables["AUTOMOBILE_SOAK"] == nil ? 1 : 20)
  }()

  /// One that hangs for two seconds and a half: how many events of it there are.
  private static func hangForLong(_ number: Int) async throws -> Int {
    let victim = try await HangVictim(variables: defaults)
    try await Task.sleep(nanoseconds: UInt64(number) * 97_000_000)
    try victim.hang(number % 2 == 0 ? "asleep" : "lock")
    try #require(await eventually { victim.isHanging })
    try await Task.sleep(nanoseconds: 2_500_000_000)
    try await victim.release()
    #expect(await eventually { !victim.events.isEmpty && victim.ends > 0 })
    return victim.events.count
  }

  /// One that is stopped for three seconds and more: how many events and traces of a hang there are.
  private static func stopForLong(_ number: Int) async throws -> Int {
    let victim = try await HangVictim(variables: defaults)
    try await Task.sleep(nanoseconds: UInt64(number) * 97_000_000)
    victim.stop()
    try await Task.sleep(nanoseconds: 3_000_000_000 + UInt64(number) * 500_000_000)
    victim.resume()
    // Long enough for what there would be to tell.
    try await Task.sleep(nanoseconds: 3_000_000_000)
    let told = victim.events.count + victim.provisional.count
    // It is still on watch.
    try victim.hang("asleep")
    #expect(await eventually { !victim.provisional.isEmpty })
    try await victim.release()
    return told
  }

  /// Five at once, each at its own moment between two questions.
  private static func five(_ one: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<5 { group.addTask { try await one(number) } }
      var results: [Int] = []
      for try await result in group { results.append(result) }
      return results
    }
  }

  @Test(.timeLimit(.minutes(60))) func `beside programs that want all cores, a hang of two seconds and a half is told`()
    async throws
  {
    let burners = try Burners()
    for round in 0..<Self.rounds {
      #expect(try await Self.five(Self.hangForLong) == [1, 1, 1, 1, 1], "round \(round)")
    }
    withExtendedLifetime(burners) {}
  }

  @Test(.timeLimit(.minutes(60))) func `nor does one that is stopped beside them`() async throws {
    let burners = try Burners()
    for round in 0..<Self.rounds {
      #expect(try await Self.five(Self.stopForLong) == [0, 0, 0, 0, 0], "round \(round)")
    }
    withExtendedLifetime(burners) {}
  }

  @Test(.enabled(if: HangVictimTests.mayDebug)) func `a process that a debugger holds does not hang`() async throws {
    let victim = try await HangVictim()
    let (file, debugger) = try await victim.attachDebugger()
    try victim.hang("asleep")
    // Several times as long as makes a hang.
    try await Task.sleep(nanoseconds: 1_500_000_000)
    try await victim.release()
    try FileManager.default.removeItem(at: file)
    #expect(await debugger.status() == 0)
    #expect(victim.provisional.isEmpty)

    try victim.hang("asleep")
    try #require(await eventually { !victim.provisional.isEmpty })
    try await victim.release()
    try #require(await eventually { !victim.events.isEmpty })
    #expect(victim.events.count == 1)
  }

  #if os(Linux)
  private static let mayDebug = true
  #else
  private static let mayDebug = false
  #endif

  @Test(.timeLimit(.minutes(5))) func `killed during a hang, the next launch tells it once`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await HangVictim(directory)
    try victim.hang("asleep")
    try #require(await eventually { victim.provisional.contains { !$0.guilty.isEmpty } })
    let launch = try #require(JournalReader(directory: victim.recordings).launches().first)
    await victim.endByForce()

    for number in 1...3 {
      let next = try await NextLaunch(victim.recordings, of: launch)
      #expect(next.told.count == (number == 1 ? 1 : 0))
      guard number == 1, let event = next.told.first else { continue }
      #expect(event.guilty.prefix(2).contains { $0.contains("Asleep") })
      #expect(event.durationMs >= 500)
      #expect(event.report?.notes.contains { $0.contains("ended during the hang") } == true)
      #expect(event.currentScreen == "Checkout")
      #expect((next.context?["context"] as? [String: Any])?["userId"] as? String == "ada")
    }
  }
}

/// A launch after the one that was killed: the hangs that it told, with the context of the last of them.
private struct NextLaunch {
  var told: [SdkHangEvent] = []
  var context: [String: Any]?

  init(_ recordings: URL, of launch: LaunchID) async throws {
    let directory = try TemporaryDirectory()
    let hangs = AutoMobileHangs()
    let own: LaunchID
    do {
      let harness = try SdkHarness(
        bundleId: "com.example.hanging", directory: directory,
        subsystems: [.hangs(hangs)]
      ) {
        $0.storage = .directory(recordings)
        $0.subsystems.remove(.hangs)
      }
      let runtime = try #require(harness.sdk.runtime)
      own = runtime.journal.launch
      runtime.earlierLaunches.look()
      for record in runtime.journal.lastRecords(of: [.event], limit: 100) {
        guard let event = try? JSONDecoder().decode(SdkHangEvent.self, from: Data(record.payload)) else { continue }
        told.append(event)
        context = try JSONSerialization.jsonObject(with: Data(record.payload)) as? [String: Any]
      }
    }
    // The next launch reads what this one told once this one is over.
    try await SdkHarness.waitUntilGone(own)
  }
}
#endif
