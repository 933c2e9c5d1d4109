#if os(macOS) || os(Linux)
import AutoMobileJournal
import Foundation
import TestTools
import Testing

@testable import AutoMobileSDK

/// `sdk-monkey`: sixteen threads that call the whole public API with hostile arguments, in a process of their own.
@Suite struct MonkeyTests {
  /// What the monkey tells at its end.
  private struct Result: Decodable {
    var seed: UInt64
    var calls: Int
    var seconds: Double
    var memoryEarly: Int
    var memoryLate: Int
    var launchId: String?
    var recorded: UInt64
    var dropped: [String: UInt64]
    var internalFailures: [String: UInt64]
  }

  private static let isSoak = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] != nil
  /// `make sanitize` sets it: memory says nothing there, and signal handlers are the sanitizer's.
  private static let isSanitized = ProcessInfo.processInfo.environment["AUTOMOBILE_SANITIZED"] != nil
  private static let calls = isSoak ? 10_000_000 : isSanitized ? 30_000 : 100_000

  @Test func `whatever sixteen threads call, the host lives, memory is bounded and the ledger adds up`() async throws {
    let directory = try TemporaryDirectory()
    let output = directory.file("result.json")
    var arguments = ["--directory", directory.url.path, "--calls", String(Self.calls), "--output", output.path]
    if Self.isSanitized { arguments.append("--sanitized") }
    let monkey = try ProcessRun("sdk-monkey", arguments)
    #expect(await monkey.status() == 0, "the seed is in the output above")

    let result = try JSONDecoder().decode(Result.self, from: Data(contentsOf: output))
    #expect(result.calls >= Self.calls, "seed \(result.seed)")
    #expect(result.seconds >= 1)
    #expect(result.internalFailures == [:])
    if !Self.isSanitized {
      let growth = result.memoryLate - result.memoryEarly
      #expect(result.memoryLate < 400 << 20 && growth < 100 << 20, "grew by \(growth) bytes, seed \(result.seed)")
    }
    try expectBalance(result, directory.file("journal"))
  }

  /// Of everything recorded, the journal has it, or says why not.
  private func expectBalance(_ result: Result, _ directory: URL) throws {
    let launch = try #require(result.launchId.flatMap { LaunchID($0) })
    let reader = JournalReader(directory: directory)
    let ledger = try #require(reader.ledger(of: launch))
    // A request that was under way when the monkey asked has ended since; the sum below is exact all the same.
    #expect(ledger.recorded >= result.recorded)
    var present: UInt64 = 0
    var position: UInt64 = 0
    while true {
      let page = reader.read(launch, from: position)
      #expect(page.unpublished == [])
      present += UInt64(page.records.count { $0.kind == .event || $0.kind == .eventAndBreadcrumb })
      guard page.next > position else { break }
      position = page.next
    }
    let dropped = ledger.dropped.values.reduce(0, +)
    // The last call of all may have erased everything.
    #expect(present > 0 || ledger.dropped["erased", default: 0] > 0)
    #expect(dropped > 0)
    #expect(present + dropped == ledger.recorded, "seed \(result.seed), dropped \(ledger.dropped)")
  }

  /// What the compiler says the module offers, beside what the monkey does.
  @Test(.disabled(if: isSanitized, "the module was built elsewhere"))
  func `the monkey calls every public symbol`() async throws {
    let directory = try TemporaryDirectory()
    let list = directory.file("list")
    #expect(try await ProcessRun("sdk-monkey", ["--list", "--output", list.path]).status() == 0)
    let called = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
    let offered = try await onThread {
      Swift.Result { try PublicSymbols.of(SwiftSource.sdkModules, into: directory.url) }
    }
    .get()
    #expect(offered.count > 100)

    let missing = Bag(offered).subtracting(Bag(called))
    #expect(missing.isEmpty, "add an Act to Tests/Helpers/sdk-monkey for these")
    let gone = Set(called).subtracting(offered)
    #expect(gone.isEmpty, "the SDK does not have these: take them out of Tests/Helpers/sdk-monkey")
  }

  /// How often each; of overloads each one counts.
  private struct Bag {
    var counts: [String: Int] = [:]

    init(_ elements: [String]) { for element in elements { counts[element, default: 0] += 1 } }

    func subtracting(_ other: Bag) -> [String] {
      counts.filter { $0.value > other.counts[$0.key, default: 0] }.keys.sorted()
    }
  }
}
#endif
