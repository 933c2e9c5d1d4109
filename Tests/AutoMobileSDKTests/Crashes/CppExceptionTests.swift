#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import Foundation
import Testing

/// C++ exceptions that nobody catches.
@Suite(.serialized) struct CppExceptionTests {
  @Test(arguments: [
    ("cpp-exception", "shop::OutOfStock", "no more of article 4711", "die_of_cpp_exception"),
    ("noexcept", "shop::OutOfStock", "no more of article 4711", "die_of_cpp_exception"),
    ("silly-exception", "shop::Silly", nil, "die_of_silly_exception"),
    ("rethrown-exception", "std::logic_error", "thrown again", "die_of_foreign_exception"),
  ])
  func `are told with their type, what they say, and the stack that threw them`(
    _ way: String, _ type: String, _ reason: String?, _ function: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run(way, in: directory.url)
    #expect(victim.end == .signal(SIGABRT))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.kind == .exception)
    #expect(report.exception?.type == type)
    #expect(report.exception?.reason == reason)
    // The signal that followed is told, and has not taken the place of the stack.
    #expect(report.signal?.number == Int(SIGABRT))
    #expect(report.threads.filter(\.crashed).count == 1)
    let symbols = report.crashed?.frames.compactMap(\.symbol) ?? []
    // What throws leaves the stack as it was, except that a promise not to throw may have unwound it first.
    #expect(symbols.contains(way == "noexcept" ? "die_of_throwing_noexcept" : function), "\(symbols)")
  }

  @Test func `are told without any signal handlers`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try await CrashVictim.run("cpp-exception", in: directory.url, ["--without-signals"])
    #expect(victim.end == .signal(SIGABRT))
    let report = try #require(try CrashVictim.report(in: directory.url))
    #expect(report.exception?.type == "shop::OutOfStock")
    #expect(report.signal == nil)
    #expect(report.threads.count > 1)
  }
}
#endif
