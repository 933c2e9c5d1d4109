import AutoMobileJournal
import AutoMobileSDK
import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// What a launch makes of the lanes that earlier ones left.
@Suite struct PreviousCrashesTests {
  @Test func `a crash becomes one event, in the session that crashed`() async throws {
    let directory = try TemporaryDirectory()
    let crashed = try await crashedLaunch(in: directory)
    let harness = try SdkHarness(directory: directory)
    harness.sdk.setUserId("somebody else")
    try look(harness)

    let recorded = try #require(try crashes(harness).first)
    #expect(try crashes(harness).count == 1)
    let event = try #require(try SdkEventDecoder.decode(recorded) as? SdkCrashEvent)
    #expect(event.timestamp == 1_700_000_000_000)
    #expect(event.errorDomain == "SIGSEGV")
    #expect(event.errorMessage == "SEGV_MAPERR at 0x18")
    #expect(event.currentScreen == "Basket")
    #expect(event.bundleId == "com.example.test")
    #expect(event.appVersion == "1.2.3")
    #expect(event.deviceInfo.model == "Test1,1")
    #expect(event.report?.reportId == crashed.launch.description)
    #expect(event.report?.breadcrumbs?.map(\.message) == ["Menu", "Basket", "paid"])
    #expect(event.stackTrace.hasPrefix("0  app  0x100123"))
    let object = try #require(try JSONSerialization.jsonObject(with: recorded) as? [String: Any])
    #expect(object["sessionId"] as? String == crashed.session)
    #expect((object["context"] as? [String: Any])?["userId"] as? String == "ada")

    #expect(try lanes(directory).isEmpty)
    let runtime = try #require(harness.sdk.runtime)
    #expect(runtime.launchHistory!.crashes.latest?.report == event.report)
    #expect(runtime.launchHistory!.crashes.finding(of: crashed.launch)?.report == event.report)
    #expect(runtime.launchHistory!.crashes.finding(of: LaunchID()) == nil)
  }

  @Test func `the crash of a launch that recorded nothing is told as well`() async throws {
    let directory = try TemporaryDirectory()
    let launch = LaunchID()
    try LaneBuilder.crash(of: launch).write(in: directory.url)
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try crashes(harness).count == 1)
    #expect(try lanes(directory).isEmpty)
  }

  @Test func `a lane without a crash goes without an event`() async throws {
    let directory = try TemporaryDirectory()
    for stage in [AM_LANE_IDLE, AM_LANE_SURVIVED] {
      var lane = LaneBuilder.crash(of: LaunchID())
      lane.stage = UInt32(stage)
      try lane.write(in: directory.url)
    }
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try crashes(harness).isEmpty)
    #expect(try lanes(directory).isEmpty)
    #expect(harness.sdk.diagnostics.dropped.isEmpty)
  }

  @Test func `the lane of a process that lives is left alone`() throws {
    let directory = try TemporaryDirectory()
    let living = try SdkHarness(directory: directory)
    let launch = try #require(living.sdk.runtime).journal.launch
    try LaneBuilder.crash(of: launch).write(in: directory.url)
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try crashes(harness).isEmpty)
    #expect(try lanes(directory).count == 1)
    withExtendedLifetime(living) {}
  }

  // MARK: Exactly once

  @Test func `killed before it recorded the event, a launch leaves it to the next`() async throws {
    let directory = try TemporaryDirectory()
    let crashed = try await crashedLaunch(in: directory, withLane: false)
    let killed = try await launch(in: directory) { _ in }
    try LaneBuilder.crash(of: crashed.launch).write(in: directory.url, claimer: killed)
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try allCrashes(directory) == [crashed.launch.description])
    #expect(try lanes(directory).isEmpty)
  }

  @Test func `killed after it recorded the event, a launch is not followed by a second event`() async throws {
    let directory = try TemporaryDirectory()
    let crashed = try await crashedLaunch(in: directory)
    let killed = try await launch(in: directory) { try look($0) }
    #expect(try allCrashes(directory) == [crashed.launch.description])
    // As if it had been killed before it removed the lane.
    try LaneBuilder.crash(of: crashed.launch).write(in: directory.url, claimer: killed)
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try allCrashes(directory) == [crashed.launch.description])
    #expect(try crashes(harness).isEmpty)
    #expect(try lanes(directory).isEmpty)
    #expect(try #require(harness.sdk.runtime?.launchHistory).crashes.latest?.errorDomain == "SIGSEGV")
  }

  @Test func `of two launches that look at once, one records the event`() async throws {
    let directory = try TemporaryDirectory()
    let crashed = try await crashedLaunch(in: directory)
    let harnesses = try (0..<4).map { _ in try SdkHarness(directory: directory) }
    DispatchQueue.concurrentPerform(iterations: 4) { try? look(harnesses[$0]) }
    #expect(try allCrashes(directory) == [crashed.launch.description])
    withExtendedLifetime(harnesses) {}
  }

  @Test func `while recording is off, the lane waits`() async throws {
    let directory = try TemporaryDirectory()
    let crashed = try await crashedLaunch(in: directory)
    _ = try await launch(in: directory, initialized: false) { harness in
      harness.sdk.setEnabled(false)
      harness.initialize()
      try look(harness)
      #expect(try crashes(harness).isEmpty)
    }
    #expect(try lanes(directory).count == 1)
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try allCrashes(directory) == [crashed.launch.description])
  }

  // MARK: Damage

  @Test func `what is no lane is set aside and counted`() async throws {
    let directory = try TemporaryDirectory()
    let name = CrashLaneName(launch: LaunchID()).text
    try Data(repeating: 7, count: 9000).write(to: directory.url.appendingPathComponent(name))
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(harness.sdk.diagnostics.dropped["corrupt"] == 1)
    #expect(try lanes(directory).isEmpty)
    #expect(FileManager.default.fileExists(atPath: directory.url.path + "/damaged.crash-lane"))
    #expect(try #require(harness.sdk.runtime?.launchHistory).crashes.failure?.contains("is not a crash lane") == true)
  }

  @Test func `a lane that kills its readers is read with less and less care, and then set aside`() async throws {
    let directory = try TemporaryDirectory()
    let launch = LaunchID()
    try LaneBuilder.crash(of: launch).write(in: directory.url)
    let lanes = CrashLaneDirectory(url: directory.url)
    let name = CrashLaneName(launch: launch)
    #expect((1...2).map { _ in lanes.noteAttempt(name) } == [1, 2])
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    let recorded = try #require(try crashes(harness).first)
    let event = try #require(try SdkEventDecoder.decode(recorded) as? SdkCrashEvent)
    #expect(event.report?.notes.contains { $0.contains("an earlier attempt") } == true)
    #expect(event.report?.threads.first?.frames.count == 3)

    try LaneBuilder.crash(of: launch).write(in: directory.url)
    for _ in 0..<PreviousCrashes.maximumAttempts { _ = lanes.noteAttempt(name) }
    let next = try SdkHarness(directory: directory)
    try look(next)
    #expect(try crashes(next).isEmpty)
    #expect(next.sdk.diagnostics.dropped["corrupt"] == 1)
  }

  @Test func `of a great many lanes the newest are told`() throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<PreviousCrashes.maximumReports + 3 { try LaneBuilder.crash(of: LaunchID()).write(in: directory.url) }
    let harness = try SdkHarness(directory: directory)
    try look(harness)
    #expect(try crashes(harness).count == PreviousCrashes.maximumReports)
    #expect(harness.sdk.diagnostics.dropped["evicted"] == 3)
    #expect(try lanes(directory).isEmpty)
  }

  // MARK: Helpers

  /// A launch that records some steps, and whose lane says that it crashed.
  private func crashedLaunch(
    in directory: TemporaryDirectory, withLane: Bool = true
  ) async throws -> (launch: LaunchID, session: String?) {
    var session: String?
    let launch = try await launch(in: directory) { harness in
      session = harness.sdk.currentSessionId()
      harness.sdk.setUserId("ada")
      harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "Menu", source: .custom))
      harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "Basket", source: .custom))
      harness.sdk.addBreadcrumb("paid")
    }
    if withLane { try LaneBuilder.crash(of: launch).write(in: directory.url) }
    return (launch, session)
  }

  private func launch(
    in directory: TemporaryDirectory, initialized: Bool = true, _ body: (SdkHarness) throws -> Void
  ) async throws -> LaunchID {
    var launch: LaunchID?
    try await SdkHarness.launch(in: directory, initialized: initialized) { harness in
      try body(harness)
      launch = try #require(harness.sdk.runtime).journal.launch
    }
    return try #require(launch)
  }

  private func look(_ harness: SdkHarness) throws { try #require(harness.sdk.runtime).earlierLaunches.look() }

  /// The crash events that this launch has recorded.
  private func crashes(_ harness: SdkHarness) throws -> [Data] {
    try #require(harness.sdk.runtime).journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records
      .map { Data($0.payload) }.filter { $0.starts(with: Data(#"{"eventType":"crash""#.utf8)) }
  }

  /// The identities of the crash events that are in any launch's journal.
  private func allCrashes(_ directory: TemporaryDirectory) throws -> [String] {
    let reader = JournalReader(directory: directory.url)
    return reader.launches().flatMap { launch in
      reader.read(launch, from: 0).records.compactMap {
        (try? SdkEventDecoder.decode(Data($0.payload)) as? SdkCrashEvent)?.report?.reportId
      }
    }
  }

  private func lanes(_ directory: TemporaryDirectory) throws -> [CrashLaneName] {
    CrashLaneDirectory(url: directory.url).names()
  }
}
