#if os(macOS) || os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import AutoMobileJournal
import CAutoMobile
import Foundation
import TestTools
import Testing

/// Crashes where the world around is not as it should be.
@Suite(.serialized) struct CrashSurroundingsTests {
  /// Before the lane has been made: the handler makes it.
  @Test func `a crash while the SDK is initialized is told`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("during-initialize", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.victimFrame(of: report.crashed)?.symbol == "die_of_null_pointer")
    #expect(report.images.contains { $0.name == "crash-victim" })
    #expect(report.images.contains { $0.name.hasPrefix("libc.so") })
  }

  @Test func `an exception while the SDK is initialized is told`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("exception-during-initialize", in: directory.url, ["--without-signals"])
    #expect(victim.end == .signal(SIGABRT))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.exception?.type == "shop::OutOfStock")
  }

  @Test func `eight threads that crash while the SDK is initialized leave one lane`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("threads-during-initialize", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.victimFrame(of: report.crashed)?.symbol == "die_of_null_pointer")
  }

  @Test func `a directory that is gone when the lane is made costs the report alone`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("directory-lost-during-initialize", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }

  @Test func `why there is no lane is said, and a crash ends the process as without one`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("without-lane", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    #expect(victim.output == "make the crash lane: File exists\n")
  }

  @Test func `a crash with a damaged journal is told`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("corrupt-journal", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let harness = try SdkHarness(directory: directory)
    let crashes = try harness.crashesOfEarlierLaunches()
    #expect(crashes.map(\.errorDomain) == ["SIGSEGV"])
  }

  @Test func `a library that was loaded a moment ago is named`() async throws {
    let directory = try TemporaryDirectory()
    let plugin = directory.file("plugin.so")
    guard try await Plugin.build(plugin) else { return }
    let recordings = try TemporaryDirectory()
    let victim = try await CrashVictim.run("in-library", in: recordings.url, [plugin.path])
    #expect(victim.end == .signal(SIGSEGV))
    let report = try #require(try CrashVictim.report(in: recordings.url))
    let frame = try #require(report.crashed?.frames.first)
    #expect(frame.image.map { report.images[$0].path } == plugin.path)
    #expect(frame.symbol == "die_in_plugin")
  }

  @Test func `a segment whose blocks the disk has lost costs the app nothing but recording`() async throws {
    let directory = try TemporaryDirectory()
    let alone = try await CrashVictim.run("journal-cut-off", in: try TemporaryDirectory().url, ["--without-handlers"])
    #expect(alone.end == .signal(SIGBUS))
    let victim = try await CrashVictim.run("journal-cut-off", in: directory.url)
    #expect(victim.end == .exit(0))
    #expect(victim.output.hasPrefix("mended true lost diskFull\n"))
    #expect(try CrashVictim.report(in: directory.url) == nil)
  }

  #if os(Linux)
  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
  func `a crash with a full disk is told`() async throws {
    let disk = try SmallDisk(kilobytes: 8192)
    defer { disk.remove() }
    let directory = URL(fileURLWithPath: disk.path)
    let victim = try await CrashVictim.run("disk-full", in: directory)
    #expect(victim.end == .signal(SIGSEGV))
    let report = try #require(try CrashVictim.report(in: directory))
    #expect(report.victimFrame(of: report.crashed)?.symbol == "die_of_null_pointer")
  }
  #endif

  @Test func `eight threads that wait and eight that compute do not hide the one that crashed`() async throws {
    for option in ["--parked", "--busy"] {
      let directory = try TemporaryDirectory()
      let victim = try await CrashVictim.run("null-pointer", in: directory.url, [option, "8"])
      #expect(victim.end == .signal(SIGSEGV))
      let report = try #require(try CrashVictim.report(in: directory.url))
      #expect(report.threads.count >= 9)
      #expect(report.victimFrame(of: report.crashed)?.symbol == "die_of_null_pointer")
    }
  }

  @Test func `the journal passes over a lane`() throws {
    let directory = try TemporaryDirectory()
    let launch = LaunchID()
    try Data(count: 100).write(to: CrashLaneFile.url(of: launch, in: directory.url))
    let journal = try Journal(JournalOptions(directory: directory.url, owner: "test"))
    defer { journal.closeAndWait() }
    #expect(journal.launches() == [journal.launch])
    #expect(directory.names.contains(launch.description + ".crash"))
  }
}

/// A library with nothing in it but a way to die.
private enum Plugin {
  /// False where there is no compiler.
  static func build(_ url: URL) async throws -> Bool {
    let source = url.deletingPathExtension().appendingPathExtension("c")
    try "void die_in_plugin(void) { *(volatile int *)0 = 1; }\n".write(to: source, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["clang", "-shared", "-fPIC", "-O0", "-o", url.path, source.path]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
#endif
