import AutoMobileHTTP
import Foundation
import HelperPrograms

@testable import AutoMobileNetworkLog

/// A log in a directory of a test's own.
struct TemporaryLog: Sendable {
  let directory: NetworkLogDirectory

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("netlog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    directory = NetworkLogDirectory(url)
  }

  func remove() { try? FileManager.default.removeItem(at: directory.url) }

  /// The names of the records' files.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.records.path)) ?? []).sorted()
  }

  func writer(owner: String = "app", _ change: (inout NetworkLogOptions) -> Void = { _ in }) throws -> NetworkLogWriter
  {
    var options = NetworkLogOptions()
    options.segmentSize = 64 << 10
    options.freeDiskFloor = 0
    change(&options)
    return try NetworkLogWriter(directory, owner: owner, options: options)
  }
}

extension HTTPExchange {
  static func numbered(_ number: Int, at time: Int64? = nil) -> HTTPExchange {
    var exchange = HTTPExchange(
      id: "\(number)", startedAt: time ?? 1_700_000_000_000 + Int64(number), method: "GET",
      url: "https://api.example/\(number)")
    exchange.statusCode = 200
    exchange.durationMs = Double(number)
    return exchange
  }

  /// The same when it begins.
  static func begun(_ number: Int, at time: Int64? = nil) -> HTTPExchange {
    var exchange = numbered(number, at: time)
    (exchange.statusCode, exchange.durationMs) = (nil, nil)
    exchange.requestHeaders = ["X-Client": "iOS"]
    exchange.tracerId = "conversation-\(number)"
    return exchange
  }
}

extension NetworkLog {
  /// All of it by pages, newest first.
  func all(_ filter: NetworkLogFilter = NetworkLogFilter(), pageSize: Int = 100) -> [NetworkLogEntry] {
    var page = page(filter, limit: pageSize)
    var entries = page.entries
    while let next = page.next {
      page = self.page(filter, from: next, limit: pageSize)
      entries += page.entries
    }
    return entries
  }

  func ids(_ filter: NetworkLogFilter = NetworkLogFilter()) -> [String] { all(filter).map(\.exchange.id) }
}

/// A process that writes a log, and what it is known to have written.
final class Victim {
  private let process = Process()
  private let witness: URL
  private let ended = DispatchSemaphore(value: 0)

  init(_ log: TemporaryLog, owner: String, budget: Int? = nil, way: String? = nil) throws {
    witness = log.directory.url.appendingPathComponent("witness-\(UUID().uuidString)")
    try Data(count: 8).write(to: witness)
    process.executableURL = HelperProgram.named("netlog-victim")
    process.arguments =
      [log.directory.url.path, witness.path, owner] + (budget.map { ["\($0)"] } ?? []) + (way.map { [$0] } ?? [])
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  /// How many calls have returned.
  var count: Int {
    guard let bytes = FileManager.default.contents(atPath: witness.path), bytes.count == 8 else { return 0 }
    return bytes.withUnsafeBytes { Int($0.loadUnaligned(as: UInt64.self)) }
  }

  func killAndWait() {
    kill(process.processIdentifier, SIGKILL)
    ended.wait()
  }
}

/// Polls until something is so.
func eventually(within seconds: TimeInterval = 30, _ condition: () -> Bool) -> Bool {
  let deadline = Date() + seconds
  while !condition() {
    guard Date() < deadline else { return false }
    usleep(2000)
  }
  return true
}

/// Runs work that blocks on a thread of its own, so that it takes none from the other tests.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = 1 << 20
    thread.start()
  }
}

/// SplitMix64: the same numbers for the same seed, so that a failing test can be run again.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
