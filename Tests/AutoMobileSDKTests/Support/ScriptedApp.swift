#if os(macOS) || os(Linux)
import Foundation

/// One launch of the helper program `scripted-app`, which does one thing after the other and says so.
final class ScriptedApp: Sendable {
  let run: ProcessRun
  private let output: URL

  /// - Parameter acts: see the program.
  init(in directory: URL, endpoint: URL?, store: URL? = nil, _ acts: [String]) throws {
    output = FileManager.default.temporaryDirectory.appendingPathComponent("scripted-\(UUID().uuidString)")
    try Data().write(to: output)
    run = try ProcessRun(
      "scripted-app", [directory.path, endpoint?.absoluteString ?? "http://127.0.0.1:9", store?.path ?? "-"] + acts,
      output: output)
  }

  deinit { try? FileManager.default.removeItem(at: output) }

  /// What it has said so far.
  var lines: [String] {
    String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Plays a whole launch.
  ///
  /// - Returns: what it said, and its exit code or the signal that ended it.
  static func play(
    in directory: URL, endpoint: URL?, store: URL? = nil, _ acts: String...
  ) async throws -> (lines: [String], status: Int32) {
    let app = try ScriptedApp(in: directory, endpoint: endpoint, store: store, acts)
    let status = await app.run.status()
    return (app.lines, status)
  }
}
#endif
