#if os(macOS) || os(Linux)
import Foundation

/// One launch of the helper program `launch-victim`, with what it says.
final class LaunchRun: Sendable {
  private let run: ProcessRun
  private let output: URL

  init(_ mode: String, in directory: TemporaryDirectory, variables: [String: String] = [:]) throws {
    output = FileManager.default.temporaryDirectory.appendingPathComponent("launch-\(UUID().uuidString)")
    try Data().write(to: output)
    run = try ProcessRun("launch-victim", [directory.url.path, mode], output: output, variables: variables)
  }

  deinit { try? FileManager.default.removeItem(at: output) }

  /// The lines so far.
  var lines: [Data] {
    let data = (try? Data(contentsOf: output)) ?? Data()
    return data.split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  func kill(_ signal: Int32 = SIGKILL) { run.kill(signal) }
  var isRunning: Bool { run.isRunning }
  var identifier: Int32 { run.identifier }

  /// The last line, and the exit code or signal, once the process is over.
  func end() async -> (line: Data, status: Int32) {
    let status = await run.status()
    return (lines.last ?? Data(), status)
  }
}
#endif
