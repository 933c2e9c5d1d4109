#if os(macOS) || os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import CAutoMobile
import Foundation
import Testing

/// Who else wants the signal, and gets it.
@Suite(.serialized) struct CrashChainTests {
  private static let crashes = [
    ("null-pointer", SIGSEGV), ("bus-error", SIGBUS), ("abort", SIGABRT), ("illegal-instruction", SIGILL),
  ]

  @Test(arguments: ["--host1", "--host3"], crashes)
  func `the handler that was there before is called once, with what it expects`(
    _ host: String, _ crash: (way: String, signal: Int32)
  ) async throws {
    let directory = try TemporaryDirectory()
    let alone = try await CrashVictim.run(crash.way, in: try TemporaryDirectory().url, [host, "--without-handlers"])
    let victim = try await CrashVictim.run(crash.way, in: directory.url, [host])
    #expect(victim.end == alone.end)
    #expect(victim.end == .signal(crash.signal))
    let lines = victim.output.split(separator: "\n")
    #expect(lines.count == 1)
    let words = try #require(lines.first).split(separator: " ")
    #expect(words[0] == host.dropFirst(2))
    #expect(words[1] == "\(crash.signal)")
    // With three arguments, the context comes, and the address of the fault.
    #expect(words[3] == (host == "--host3" ? "c" : "-"))
    if host == "--host3", crash.way != "abort" {
      let report = try #require(try CrashVictim.report(in: directory.url))
      #expect(UInt64(words[2].dropFirst(2), radix: 16) == report.signal?.address?.rawValue)
    }
    #expect(try CrashVictim.report(in: directory.url)?.signal?.number == Int(crash.signal))
  }

  @Test func `where Swift's own backtracer was there before, it is called in its turn`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("null-pointer", in: directory.url, backtraces: true)
    #expect(victim.end == .signal(SIGSEGV))
    #expect(try CrashVictim.report(in: directory.url)?.signal?.number == Int(SIGSEGV))
  }

  @Test func `signals that the app ignores stay ignored, and a fault all the same ends it`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("ignored", in: directory.url)
    #expect(victim.output == "ignored\n")
    #expect(victim.end == .signal(SIGSEGV))
    #expect(try CrashVictim.report(in: directory.url)?.signal?.number == Int(SIGSEGV))
  }

  @Test func `a fault that the app's own handler mends is no crash`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("mended", in: directory.url)
    #expect(victim.end == .exit(0))
    #expect(victim.output.contains("went on"))
    #expect(try CrashVictim.report(in: directory.url) == nil)
  }

  @Test func `a crash after a fault that was mended is told`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("mended-then-null-pointer", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.victimFrame(of: report.crashed)?.symbol == "die_of_null_pointer")
  }

  @Test func `handlers that are disabled report nothing and leave the signal alone`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("disabled", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    #expect(try CrashVictim.report(in: directory.url) == nil)
  }

  @Test func `disabling does not take away a handler that was installed later`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("handler-installed-later", in: directory.url)
    #expect(victim.output.hasPrefix("host3 11 "))
    #expect(victim.end == .signal(SIGSEGV))
    #expect(try CrashVictim.report(in: directory.url) == nil)
  }

  @Test func `a signal that somebody sent ends the process and is told with its sender`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("sent", in: directory.url)
    #expect(victim.end == .signal(SIGSEGV))
    let lane = try #require(try CrashVictim.lanes(in: directory.url).first)
    #expect(lane.signal?.sender == Int64(lane.process.pid))
  }

  @Test func `a trap is left to the debugger unless the app wants it`() async throws {
    for wanted in [false, true] {
      let directory = try TemporaryDirectory()
      let victim = try await CrashVictim.run("trap", in: directory.url, wanted ? ["--trap"] : [])
      #expect(victim.end == .signal(SIGTRAP))
      #expect(try CrashVictim.report(in: directory.url)?.signal?.number == (wanted ? Int(SIGTRAP) : nil))
    }
  }

  @Test func `without a crash there is no report`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("none", in: directory.url)
    #expect(victim.end == .exit(0))
    #expect(victim.output == "survived\n")
    #expect(try CrashVictim.lanes(in: directory.url).map(\.stage) == [.idle])
  }
}
#endif
