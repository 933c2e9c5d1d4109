#if os(macOS) || os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import Testing

/// Real processes that end in every way, and what the next launch makes of it.
@Suite struct LaunchEndProcessTests {
  /// Runs a launch in which nothing is done but to ask what ended the one before.
  private func look(
    in directory: TemporaryDirectory, variables: [String: String] = [:]
  ) async throws -> PreviousLaunchEnd? {
    let run = try LaunchRun("look", in: directory, variables: variables)
    let (line, status) = await run.end()
    #expect(status == 0)
    return try JSONDecoder().decode(PreviousLaunchEnd?.self, from: line)
  }

  /// Runs a launch, and ends it with a signal when it is ready.
  private func end(
    _ mode: String, with signal: Int32, in directory: TemporaryDirectory, variables: [String: String] = [:]
  ) async throws {
    let run = try LaunchRun(mode, in: directory, variables: variables)
    try #require(await eventually { run.lines.last == Data("ready".utf8) || !run.isRunning })
    run.kill(signal)
    #expect(await run.end().status == signal)
  }

  @Test(arguments: ["exit", "return"]) func `a process that ends itself has ended cleanly`(mode: String) async throws {
    let directory = try TemporaryDirectory()
    #expect(await LaunchRun.ended(mode, in: directory) == 0)
    let end = try await look(in: directory)
    #expect(end?.verdict == .cleanExit)
    let first = try launches(directory).first
    #expect(end?.launchId == first?.description)
    #expect((end?.lastSeen ?? 0) > 1_600_000_000_000)
  }

  @Test func `a process that crashed has crashed`() async throws {
    let directory = try TemporaryDirectory()
    #expect(await LaunchRun.ended("crash", in: directory) == SIGSEGV)
    #expect(try await look(in: directory)?.verdict == .crash)
  }

  @Test func `an app that has shut the SDK down has ended cleanly, whatever ends the process`() async throws {
    let directory = try TemporaryDirectory()
    try await end("shutdown", with: SIGKILL, in: directory)
    #expect(try await look(in: directory)?.verdict == .cleanExit)
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func `a process that is killed was killed by somebody`(signal: Int32)
    async throws
  {
    for mode in ["idle", "background", "hang-that-ended"] {
      let directory = try TemporaryDirectory()
      try await end(mode, with: signal, in: directory)
      let end = try await look(in: directory)
      #expect(end?.verdict == .userKill, "\(mode): \(end?.evidence ?? "nothing")")
    }
  }

  @Test func `where a crash would have left no trace nobody is blamed`() async throws {
    let directory = try TemporaryDirectory()
    try await end("idle-without-crash-capture", with: SIGKILL, in: directory)
    let end = try await look(in: directory)
    #expect(end?.verdict == .unknown)
    #expect(end?.evidence.contains("crashes were not captured") == true)
  }

  @Test func `a process that is killed while it hangs was ended for that`() async throws {
    let directory = try TemporaryDirectory()
    try await end("hang", with: SIGKILL, in: directory)
    let end = try await look(in: directory)
    #expect(end?.verdict == .hangKill)
    #expect(end?.evidence.contains("2750 ms") == true)
  }

  @Test func `a process that is killed with another version, or before another boot, was updated or rebooted`()
    async throws
  {
    let updated = try TemporaryDirectory()
    try await end("idle", with: SIGKILL, in: updated)
    let update = try await look(in: updated, variables: ["VICTIM_VERSION": "1.1"])
    #expect(update?.verdict == .updated)
    #expect(update?.evidence.contains("1.0 → 1.1") == true)

    let rebooted = try TemporaryDirectory()
    try await end("background", with: SIGKILL, in: rebooted, variables: ["VICTIM_BOOT": "earlier"])
    #expect(try await look(in: rebooted, variables: ["VICTIM_BOOT": "later"])?.verdict == .rebooted)
  }

  #if os(Linux)
  @Test func `a process that is killed with its memory nearly used up was out of memory`() async throws {
    let directory = try TemporaryDirectory()
    try await end("memory-pressure", with: SIGKILL, in: directory)
    let end = try await look(in: directory)
    #expect(end?.verdict == .outOfMemory)
    #expect(end?.evidence.contains(" MB") == true)
  }

  @Test func `a process that uses up its address space was out of memory`() async throws {
    let directory = try TemporaryDirectory()
    #expect(await LaunchRun.ended("out-of-memory", in: directory) != 0)
    #expect(try await look(in: directory)?.verdict == .outOfMemory)
  }

  @Test(.enabled(if: MemoryGroup.isPossible))
  func `a process that the kernel ends for its memory was out of memory, though no sample saw it`() async throws {
    let directory = try TemporaryDirectory()
    let group = try MemoryGroup(limit: 96 << 20)
    defer { group.remove() }
    let variables = ["VICTIM_GROUP": group.path]
    #expect(await LaunchRun.ended("out-of-memory-in-group", in: directory, variables: variables) == SIGKILL)
    let end = try await look(in: directory, variables: variables)
    #expect(end?.verdict == .outOfMemory)
    #expect(end?.evidence.contains("kernel") == true)
  }

  @Test func `a process that is killed while it is traced was ended by a debugger`() async throws {
    let directory = try TemporaryDirectory()
    try await end("traced", with: SIGKILL, in: directory)
    let end = try await look(in: directory)
    #expect(end?.verdict == .debugger, "\(end?.evidence ?? "nothing")")
  }
  #endif

  @Test func `each end is told once, however often the next launches are killed while they tell`() async throws {
    let directory = try TemporaryDirectory()
    // So many deaths during the start would be a crash loop.
    let unguarded = ["VICTIM_UNGUARDED": "1"]
    try await end("idle", with: SIGKILL, in: directory)
    // In nanoseconds. However slow the machine is at this moment: kills meet all moments from before the start until after it.
    var length: UInt64 = 20_000_000
    var newest = self.newest(directory)
    for _ in 0..<Self.kills {
      let run = try LaunchRun("idle", in: directory, variables: unguarded)
      try await Task.sleep(nanoseconds: UInt64.random(in: 0..<length))
      run.kill()
      _ = await run.end()
      let last = self.newest(directory)
      length = last == newest ? min(length * 2, 10_000_000_000) : max(length * 3 / 4, 20_000_000)
      newest = last
    }
    #expect(try await look(in: directory, variables: unguarded) != nil)

    var told: [String: Int] = [:]
    let reader = JournalReader(directory: directory.url)
    for launch in reader.launches() {
      for record in reader.read(launch, from: 0, maximumRecords: 1 << 30).records
      where record.kind == .eventAndBreadcrumb {
        guard let event = try SdkEventDecoder.decode(Data(record.payload)) as? SdkLifecycleEvent,
          event.state == RecordedName.launchEnd, let name = event.details["launchId"]
        else { continue }
        told[name, default: 0] += 1
      }
    }
    let ended = try launches(directory).dropLast()
    #expect(ended.count > 2)
    for launch in ended { #expect(told[launch.description] == 1) }
    #expect(told.values.allSatisfy { $0 == 1 })
  }

  private static let kills = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 25 : 500

  /// Those that recorded anything, oldest first.
  private func launches(_ directory: TemporaryDirectory) throws -> [LaunchID] {
    let reader = JournalReader(directory: directory.url)
    return reader.launches().filter { !reader.read($0, from: 0).records.isEmpty }
  }

  /// The last of them.
  private func newest(_ directory: TemporaryDirectory) -> LaunchID? {
    let reader = JournalReader(directory: directory.url)
    return reader.launches().last { !reader.read($0, from: 0).records.isEmpty }
  }
}

extension LaunchRun {
  /// The exit code or signal of a launch that ends by itself; nil when it could not be started.
  static func ended(
    _ mode: String, in directory: TemporaryDirectory, variables: [String: String] = [:]
  ) async -> Int32? {
    try? await LaunchRun(mode, in: directory, variables: variables).end().status
  }
}
#endif
