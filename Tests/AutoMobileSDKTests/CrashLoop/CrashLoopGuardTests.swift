#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import AutoMobileSDK

/// Processes that die while the SDK starts, again and again.
@Suite struct CrashLoopGuardTests {
  /// Runs a launch; what it said about itself when it had come that far.
  private func launch(_ mode: String, _ directory: TemporaryDirectory) async throws -> (
    diagnostics: AutoMobileDiagnostics?, status: Int32
  ) {
    let run = try LaunchRun(mode, in: directory)
    let (output, status) = await run.end()
    return (try? JSONDecoder().decode(AutoMobileDiagnostics.self, from: output), status)
  }

  @Test(arguments: ["die-in-initialize", "die-in-start-work"])
  func `after three launches that died in the SDK's start it stays off for one, and says why`(mode: String) async throws
  {
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { #expect(try await launch(mode, directory).status == SIGABRT) }

    let off = try await launch("start", directory)
    #expect(off.status == 0, "the host lives")
    let diagnostics = try #require(off.diagnostics)
    #expect(!diagnostics.isInitialized)
    let reason = try #require(diagnostics.offReason)
    #expect(reason.contains("3 starts") && reason.contains("next launch"))
    #expect(reason.contains(mode == "die-in-initialize" ? "initialize" : "poisoned report"))

    let tried = try await launch("start", directory)
    #expect(tried.diagnostics?.isInitialized == true, "the next launch tries again")
    #expect(tried.diagnostics?.offReason == nil)
  }

  @Test func `a launch after a pause that dies again makes the next pause twice as long`() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<3 { _ = try await launch("die-in-initialize", directory) }
    #expect(try await launch("die-in-initialize", directory).diagnostics?.offReason != nil)
    #expect(try await launch("die-in-initialize", directory).status == SIGABRT)
    for _ in 0..<2 { #expect(try await launch("die-in-initialize", directory).diagnostics?.offReason != nil) }
    #expect(try await launch("start", directory).diagnostics?.isInitialized == true)
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
    for _ in 0..<3 { _ = try await launch("die-in-initialize", directory) }
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
    #expect(guardian.refusal == nil)
    guardian.enter("anything")
    guardian.succeeded()
  }

  @Test func `a damaged file counts for nothing`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file(CrashLoopGuard.fileName(owner: "owner"))
    try Data(repeating: 0xFF, count: 4000).write(to: file)
    #expect(CrashLoopGuard(directory: directory.url, owner: "owner", build: "1").refusal == nil)
    let record = try Data(contentsOf: file).withUnsafeBytes { StartRecord($0) }
    #expect(record?.starting == getpid())
  }
}
#endif
