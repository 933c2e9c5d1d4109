#if os(macOS) || os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import Foundation
import Testing

/// When one misfortune does not come alone.
@Suite(.serialized) struct CrashInCrashTests {
  @Test func `several threads that crash at once are one report, and each is told as it crashed`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("eight-threads-together", in: directory.url, ["--host3"])
    #expect(victim.end == .signal(SIGSEGV))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.threads.filter(\.crashed).count == 1)
    let dying = report.threads.filter { thread in
      thread.frames.contains { $0.symbol == "die_of_null_pointer" }
    }
    #expect(dying.count >= 2)
    #expect(victim.output.split(separator: "\n").allSatisfy { $0.hasPrefix("host3 11 ") })
  }

  @Test func `a fault in our handler leaves the first part and a note`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("in-our-handler", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let lane = try #require(try CrashVictim.lanes(in: directory.url).first)
    #expect(lane.stage == .crashedThread)
    #expect(lane.signal?.number == SIGSEGV)
    #expect(lane.threads.count == 1)
    #expect(lane.notes.contains { $0.hasPrefix("The crash handler itself received signal 8") })
  }

  @Test func `a fault at our handler's very beginning still tells the signal`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("at-once-in-our-handler", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let lane = try #require(try CrashVictim.lanes(in: directory.url).first)
    #expect(lane.isReport)
    #expect(lane.signal?.number == SIGSEGV)
    #expect(lane.notes.count == 1)
  }

  @Test func `an abort in our handler leaves what came before, and the first signal ends the process`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("abort-in-our-handler", in: directory.url, ["--host3"])
    #expect(victim.end == .signal(SIGSEGV))
    #expect(victim.output.hasPrefix("host3 11 "))
    let lane = try #require(try CrashVictim.lanes(in: directory.url).first)
    #expect(lane.stage == .allThreads)
    #expect(lane.notes.contains { $0.hasPrefix("The crash handler itself received signal 6") })
  }

  @Test func `a fault of the thread that reports another one leaves what it wrote and a note`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("in-our-listener", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let lane = try #require(try CrashVictim.lanes(in: directory.url).first)
    #expect(lane.notes.first == "The listener was here.")
    #expect(lane.notes.contains { $0.hasPrefix("The crash handler itself received signal 11") })
    // What the crash itself had to say comes after it.
    #expect(lane.signal?.number == SIGSEGV)
  }

  @Test(arguments: ["in-host-handler", "in-host-handler-again", "abort-in-host-handler"])
  func `a crash in the app's own crash handler leaves the first crash's report, and the end as it was`(
    _ way: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let alone = try await CrashVictim.run(way, in: try TemporaryDirectory().url, ["--without-handlers"])
    let victim = try await CrashVictim.run(way, in: directory.url)
    #expect(victim.end == alone.end)
    #expect(victim.calls == alone.calls)
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.signal?.number == Int(SIGSEGV))
    #expect(report.victimFrame(of: report.crashed)?.symbol == "die_of_null_pointer")
  }

  @Test func `the child of a fork dies on its own account, and the parent's lane stays empty`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("in-fork", in: directory.url, ["--host3"])
    #expect(victim.end == .exit(0))
    #expect(victim.output.contains("host3 11 "))
    #expect(victim.output.contains("child 11\n"))
    #expect(try CrashVictim.lanes(in: directory.url).map(\.stage) == [.idle])
  }
}
#endif
