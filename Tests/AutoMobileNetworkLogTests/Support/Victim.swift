#if os(macOS) || os(Linux)
import Foundation
import TestTools

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
#endif
