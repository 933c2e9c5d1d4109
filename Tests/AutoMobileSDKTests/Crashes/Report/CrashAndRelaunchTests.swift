#if os(macOS) || os(Linux)
#if os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import Testing

/// Programs that really die, and what the launches after them tell of it.
@Suite struct CrashAndRelaunchTests {
  @Test(arguments: [
    ("null-pointer", "SIGSEGV", "die_of_null_pointer"), ("abort", "SIGABRT", "die_of_abort"),
    ("division", "SIGFPE", "die_of_division"), ("in-signal-handler", "SIGSEGV", "die_of_null_pointer"),
    ("corrupt-heap", "SIGABRT", "die_of_corrupt_heap"),
  ])
  func `the stack leads from the crash, through the C library, to the main program`(
    way: String, signal: String, function: String
  ) async throws {
    let directory = try TemporaryDirectory()
    _ = try await ProcessRun("crash-victim", [way, directory.url.path]).status()
    let event = try #require(try told(in: directory).first)
    #expect(event.errorDomain == signal)
    #expect(event.currentScreen == "checkout")
    #expect(event.report?.breadcrumbs?.last?.message == "step 19")
    let report = try #require(event.report)
    let names = try #require(report.principalThread).frames.map { $0.symbol ?? "?" }
    #expect(names.contains(function), "\(event.stackTrace)")
    #expect(names.contains("crash_victim_main"), "\(event.stackTrace)")
    if signal != "SIGABRT" { #expect(names.first == function) }
    #expect(report.images.contains { $0.name == "crash-victim" })
    #expect(report.images.allSatisfy { $0.base.rawValue != 0 && $0.size > 0 })
  }

  @Test func `what an exception said is told, with the stack of where it was thrown`() async throws {
    let directory = try TemporaryDirectory()
    _ = try await ProcessRun("crash-victim", ["cpp-exception", directory.url.path]).status()
    let event = try #require(try told(in: directory).first)
    #expect(event.errorDomain == "shop::OutOfStock")
    #expect(event.report?.kind == .exception)
    #expect(event.errorMessage == event.report?.exception?.reason)
    #expect(
      event.report?.principalThread?.frames.contains { $0.symbol?.contains("die_of_cpp_exception") == true } == true,
      "\(event.stackTrace)")
  }

  /// Each launch is ended in some way while it reports the crash of the one before.
  @Test func `however often launches end while they report, each crash is told once`() async throws {
    let directory = try TemporaryDirectory()
    var crashes = 0
    // No more, for the journal has room for some thirty launches that nobody delivers.
    for round in 0..<12 {
      let victim = try ProcessRun(
        "crash-victim", [round % 3 == 0 ? "null-pointer" : round % 3 == 1 ? "linger" : "none", directory.url.path])
      if round % 3 == 1 {
        try await Task.sleep(nanoseconds: UInt64.random(in: 10_000_000..<150_000_000))
        victim.kill()
      }
      if await victim.status() == SIGSEGV { crashes += 1 }
    }
    #expect(crashes == 4)
    _ = try told(in: directory)
    let identities = try allCrashes(directory)
    #expect(identities.count == crashes)
    #expect(Set(identities).count == crashes)
  }

  private func told(in directory: TemporaryDirectory) throws -> [SdkCrashEvent] {
    let harness = try SdkHarness(directory: directory)
    let runtime = try #require(harness.sdk.runtime)
    runtime.earlierLaunches.look()
    #expect(CrashLaneDirectory(url: directory.url).names().isEmpty)
    return runtime.journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records.compactMap {
      try? SdkEventDecoder.decode(Data($0.payload)) as? SdkCrashEvent
    }
  }

  private func allCrashes(_ directory: TemporaryDirectory) throws -> [String] {
    let reader = JournalReader(directory: directory.url)
    return reader.launches().flatMap { launch in
      reader.read(launch, from: 0).records.compactMap {
        (try? SdkEventDecoder.decode(Data($0.payload)) as? SdkCrashEvent)?.report?.reportId
      }
    }
  }
}
#endif
#endif
