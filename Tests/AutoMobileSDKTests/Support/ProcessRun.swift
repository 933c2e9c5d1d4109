import Foundation

/// A helper program of these tests, run as a process of its own.
final class ProcessRun: Sendable {
  private let process = Process()
  private let ended: Task<Int32, Never>

  /// - Parameter name: the target's; the build puts it beside the tests.
  init(_ name: String, _ arguments: [String]) throws {
    process.executableURL = Self.products.appendingPathComponent(name)
    process.arguments = arguments
    let (stream, continuation) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { process in
      continuation.yield(process.terminationStatus)
      continuation.finish()
    }
    try process.run()
    ended = Task { await stream.first { _ in true } ?? -1 }
  }

  var isRunning: Bool { process.isRunning }

  func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

  /// The exit code, or the number of the signal, once the process is over.
  func status() async -> Int32 { await ended.value }

  static let products: URL = {
    #if canImport(Darwin)
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
      return bundle.bundleURL.deletingLastPathComponent()
    }
    #endif
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()
}
