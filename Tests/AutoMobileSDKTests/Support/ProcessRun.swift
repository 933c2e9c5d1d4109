#if os(macOS) || os(Linux)
import Foundation
import TestTools

/// A helper program of these tests, run as a process of its own.
final class ProcessRun: Sendable {
  private let process = Process()
  private let ended: Task<Int32, Never>

  /// - Parameters:
  ///   - name: the target's; the build puts it beside the tests.
  ///   - variables: of its environment, beside those of the tests.
  ///   - output: a file for what it says; nil: it says it where the tests do.
  init(_ name: String, _ arguments: [String], output: URL? = nil, variables: [String: String] = [:]) throws {
    process.executableURL = HelperProgram.named(name)
    process.arguments = arguments
    if let output { process.standardOutput = try FileHandle(forWritingTo: output) }
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(variables) { $1 }
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { process in
      continuation.yield(process.terminationStatus)
      continuation.finish()
    }
    try process.run()
    ended = Task { await stream.first { _ in true } ?? -1 }
  }

  var identifier: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  func kill(_ signal: Int32 = SIGKILL) { _ = Foundation.kill(process.processIdentifier, signal) }

  /// The exit code, or the number of the signal, once the process is over.
  func status() async -> Int32 { await ended.value }
}
#endif
