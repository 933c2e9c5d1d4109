#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import Testing

/// A process that dies in every way there is, and what the next launch knows of it.
@Suite(.serialized) struct WaysOfDyingTests {
  struct Way: CustomTestStringConvertible, Sendable {
    var name: String
    var signal: Int32
    /// The function that it dies in, and whose line is marked.
    var function: String
    /// Other threads may stand in it, too.
    var isMain = true
    var testDescription: String { name }
  }

  static let ways =
    [
      Way(name: "null-pointer", signal: SIGSEGV, function: "die_of_null_pointer"),
      Way(name: "wild-pointer", signal: SIGSEGV, function: "die_of_wild_pointer"),
      Way(name: "bus-error", signal: SIGBUS, function: "die_of_bus_error"),
      Way(name: "illegal-instruction", signal: SIGILL, function: "die_of_illegal_instruction"),
      Way(name: "abort", signal: SIGABRT, function: "die_of_abort"),
      Way(name: "precondition", signal: swiftTrap, function: "dieOfPrecondition"),
      Way(name: "nil", signal: swiftTrap, function: "dieOfNil"),
      Way(name: "index", signal: swiftTrap, function: "dieOfIndex"),
      Way(name: "cpp-exception", signal: SIGABRT, function: "die_of_cpp_exception"),
      Way(name: "stack-overflow", signal: SIGSEGV, function: "recurse"),
      Way(name: "stack-overflow-on-thread", signal: SIGSEGV, function: "recurse", isMain: false),
      Way(name: "corrupt-heap", signal: SIGABRT, function: "die_of_corrupt_heap"),
      Way(name: "heap-locked", signal: SIGSEGV, function: "die_with_heap_locked"),
      Way(name: "loader-locked", signal: SIGSEGV, function: "die_of_null_pointer"),
      Way(name: "eight-threads", signal: SIGSEGV, function: "die_of_null_pointer", isMain: false),
      Way(name: "in-signal-handler", signal: SIGSEGV, function: "die_of_null_pointer"),
      Way(name: "on-pool-thread", signal: SIGSEGV, function: "die_of_null_pointer", isMain: false),
      Way(name: "in-our-handler", signal: SIGSEGV, function: "die_of_null_pointer"),
      Way(name: "abort-in-our-handler", signal: SIGSEGV, function: "die_of_null_pointer"),
    ] + division

  #if arch(x86_64)
  private static let swiftTrap = SIGILL
  /// Other processors divide by zero without minding.
  private static let division = [Way(name: "division", signal: SIGFPE, function: "die_of_division")]
  #else
  private static let swiftTrap = SIGTRAP
  private static let division: [Way] = []
  #endif

  @Test(arguments: ways)
  func `it is told once, with signal, function, line and breadcrumbs, and ends as it would have`(
    _ way: Way
  ) async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run(way.name, in: directory.url, ["--trap"])
    #expect(victim.end == .signal(way.signal))
    let lanes = try CrashVictim.lanes(in: directory.url)
    #expect(lanes.count == 1)

    let event = try await #require(onlyCrash(in: directory))
    let report = try #require(event.report)
    #expect(report.signal?.number == Int(way.signal))
    #expect(event.currentScreen == "checkout")
    #expect(report.threads.filter(\.crashed).count == 1)
    let crashed = try #require(report.crashed)
    #expect(report.threads.first?.id == crashed.id)
    #expect(crashed.main == way.isMain)
    let frame = try #require(
      report.victimFrame(of: crashed), "\(crashed.frames.map { $0.symbol ?? $0.address.description })")
    #expect(frame.symbol?.contains(way.function) == true, "\(frame.symbol ?? "-")")
    if let expected = SourceLine.marked(way.function), let offset = frame.offset?.rawValue,
      let found = await SourceLine.found(at: frame.trust == "context" ? offset : offset - 1)
    {
      #expect(found == expected)
    }
  }

  /// The crash event of the launch in a directory, as the next launch records it; the launch after that records none. The
  /// breadcrumbs must be there, too.
  private func onlyCrash(in directory: TemporaryDirectory) async throws -> SdkCrashEvent? {
    var event: SdkCrashEvent?
    for isNext in [true, false] {
      try await SdkHarness.launch(in: directory) { harness in
        if isNext {
          let messages = harness.sdk.previousLaunchBreadcrumbs().map(\.message)
          #expect(messages == ["checkout"] + (0..<20).map { "step \($0)" })
        }
        let crashes = try harness.crashesOfEarlierLaunches()
        #expect(crashes.count == (isNext ? 1 : 0))
        if isNext { event = crashes.first }
      }
    }
    return event
  }
}
#endif
