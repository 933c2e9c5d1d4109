#if os(macOS) || os(Linux)
import AutoMobileSDK
@testable import AutoMobileRecorder
import Foundation
import Testing

/// Processes that die while the SDK starts, again and again.
@Suite struct CrashLoopGuardTests {
  /// Runs a launch; what it said about itself when it had come that far.
  private func launch(_ mode: String, _ directory: TemporaryDirectory, _ variables: [String: String] = [:]) async throws
    -> (
      diagnostics: AutoMobileDiagnostics?, status: Int32
    )
  {
    let run = try LaunchRun(mode, in: directory, variables: variables)
    let (output, status) = await run.end()
    return (try? JSONDecoder().decode(AutoMobileDiagnostics.self, from: output), status)
  }

  @Test(arguments: [("die-in-initialize", SIGABRT), ("die-in-start-work", SIGSEGV)])
  func `after three launches that died of the SDK's start it is in safe mode for one, and says why`(
    mode: String, signal: Int32
  ) async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { #expect(try await launch(mode, directory).status == signal) }

    let safe = try await launch("start", directory)
    #expect(safe.status == 0, "the host lives")
    let diagnostics = try #require(safe.diagnostics)
    #expect(diagnostics.isInitialized && diagnostics.offReason == nil)
    let reason = try #require(diagnostics.safeModeReason)
    #expect(reason.contains("3 starts") && reason.contains("next launch"))
    #expect(reason.contains(mode == "die-in-initialize" ? "initialize" : "poisoned report"))

    let tried = try await launch("start", directory)
    #expect(tried.diagnostics?.isInitialized == true && tried.diagnostics?.safeModeReason == nil, "it tries again")
  }

  @Test func `in safe mode what it died of is left out, and the crashes are told`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { #expect(try await launch("die-in-start-work", directory).status == SIGSEGV) }
    #expect(receiver.store.events.isEmpty)
    let safe = try await launch("die-in-start-work", directory, ["VICTIM_COLLECTOR": receiver.url.absoluteString])
    #expect(safe.status == 0)
    #expect(safe.diagnostics?.safeModeReason != nil)
    let reports = receiver.store.events.values.flatMap(\.values).compactMap {
      (try? SdkEventDecoder.decode(Data($0.utf8)) as? SdkCrashEvent)?.report?.reportId
    }
    #expect(reports.count == 3)
    #expect(Set(reports).count == 3)
  }

  @Test func `a launch after a pause that dies again makes the next pause twice as long`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { _ = try await launch("die-in-start-work", directory) }
    #expect(try await launch("die-in-start-work", directory).diagnostics?.safeModeReason != nil)
    #expect(try await launch("die-in-start-work", directory).status == SIGSEGV)
    for _ in 0..<2 { #expect(try await launch("die-in-start-work", directory).diagnostics?.safeModeReason != nil) }
    #expect(try await launch("start", directory).diagnostics?.safeModeReason == nil)
  }

  @Test func `should it die in safe mode as well, it is off`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<6 { #expect(try await launch("die-in-safe-mode", directory).status == SIGSEGV) }
    let off = try await launch("die-in-safe-mode", directory)
    #expect(off.status == 0)
    #expect(off.diagnostics?.isInitialized == false)
    #expect(off.diagnostics?.offReason?.contains("lane") == true)
  }

  @Test(arguments: ["app-dies-on-queue", "app-dies-in-start"])
  func `the app's crash says nothing against the SDK, also in a closure that the SDK calls`(mode: String) async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<5 { #expect(try await launch(mode, directory).status == SIGSEGV) }
    #expect(try await launch("start", directory).diagnostics?.safeModeReason == nil)
  }

  @Test func `killed during its start, however often, it never does less`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<6 {
      let run = try LaunchRun("wait-in-start-work", in: directory)
      try #require(await eventually { !run.lines.isEmpty || !run.isRunning })
      run.kill(SIGKILL)
      #expect(await run.end().status == SIGKILL)
    }
    let next = try await launch("start", directory).diagnostics
    #expect(next?.isInitialized == true && next?.safeModeReason == nil)
  }

  @Test func `a start that comes when it is switched on is guarded, too`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { #expect(try await launch("die-when-switched-on", directory).status == SIGSEGV) }
    let safe = try await launch("die-when-switched-on", directory)
    #expect(safe.status == 0)
    #expect(safe.diagnostics?.safeModeReason != nil)
  }

  @Test func `a program that crashes later, or ends while the SDK still starts, has not died in its start`()
    async throws
  {
    let directory = try TemporaryDirectory()
    for number in 0..<6 {
      let mode = number % 2 == 0 ? "die-after-start" : "exit-in-start-work"
      #expect(try await launch(mode, directory).diagnostics?.isInitialized == true)
    }
  }

  @Test func `in a process that stays off every call is harmless, and nothing is recorded`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<6 { _ = try await launch("die-in-safe-mode", directory) }
    var environment = SdkEnvironment()
    environment.appVersion = "1.0"
    environment.guardsAgainstCrashLoops = true
    let sdk = AutoMobileSDK { [environment] in environment }
    let before = directory.names
    let configuration = AutoMobileConfiguration(storage: .directory(directory.url))
    for _ in 0..<2 { sdk.initialize(bundleId: "com.example.launches", configuration: configuration) }
    #expect(sdk.diagnostics.offReason != nil)
    sdk.trackEvent(name: "nobody hears this")
    sdk.setUserId("nobody")
    sdk.flush()
    #expect(!sdk.isInitialized && sdk.getEventBuffer() == nil)
    // Counted as calls that came to nothing.
    #expect(sdk.diagnostics.recorded == sdk.diagnostics.dropped["notInitialized"] ?? 0)
    #expect(directory.names == before)
  }

  @Test func `where no file can be written there is no guard, and the SDK starts`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("a file, and no directory")
    try Data().write(to: file)
    let guardian = CrashLoopGuard(directory: file, owner: "owner", build: "1")
    #expect(guardian.mode == .full)
    guardian.enter("anything")
    guardian.succeeded()
  }

  @Test func `a damaged file counts for nothing`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file(CrashLoopGuard.fileName(owner: "owner"))
    try Data(repeating: 0xFF, count: 4000).write(to: file)
    #expect(CrashLoopGuard(directory: directory.url, owner: "owner", build: "1").mode == .full)
    let record = try Data(contentsOf: file).withUnsafeBytes { StartRecord($0) }
    #expect(record?.process == getpid())
  }
}
#endif
