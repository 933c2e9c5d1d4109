import Foundation
import Testing

@testable import automobile

/// A process with the real SDK, which records when it is told to.
final class RecordingApp: @unchecked Sendable {
  // Unchecked for `Process` and the pipes: one test uses them, one call after the other.
  static let bundle = "com.example.recording"

  private let process = Process()
  private let input = Pipe()
  private let output = Tool.Reader()

  /// - Parameters:
  ///   - takesCommands: whether it asks the collector for commands, as debug builds do.
  ///   - keeps: whether what it records stays there until it is asked for.
  init(endpoint: String, directory: URL, takesCommands: Bool, keeps: Bool = false) throws {
    process.executableURL = Tool.path.deletingLastPathComponent().appending(path: "recording-app")
    process.arguments = [endpoint, directory.path, takesCommands ? "all" : "none"] + (keeps ? ["keep"] : [])
    process.standardInput = input
    process.standardOutput = output.pipe
    try process.run()
  }

  func record(_ count: Int) throws { try input.fileHandleForWriting.write(contentsOf: Data("record \(count)\n".utf8)) }

  /// Has sessions told that go on.
  func flush() throws { try input.fileHandleForWriting.write(contentsOf: Data("flush\n".utf8)) }

  /// The user denies consent.
  func deny() throws { try input.fileHandleForWriting.write(contentsOf: Data("deny\n".utf8)) }

  /// What a session of the app gets, which is recorded.
  func get(_ url: String) async throws -> JSON {
    try input.fileHandleForWriting.write(contentsOf: Data("get \(url)\n".utf8))
    return try JSON(text: try #require(await output.line()))
  }

  /// Makes a database and preferences, and lets them be looked at.
  func openStorage() async throws {
    try input.fileHandleForWriting.write(contentsOf: Data("storage\n".utf8))
    _ = try #require(await output.line())
  }

  /// Its diagnostics.
  func status() async throws -> JSON {
    try input.fileHandleForWriting.write(contentsOf: Data("status\n".utf8))
    return try JSON(text: try #require(await output.line()))
  }

  /// Asks until `isDone`, for at most a minute.
  @discardableResult
  func wait(until isDone: (JSON) -> Bool) async throws -> JSON {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let status = try await status()
      if isDone(status) { return status }
      try #require(ContinuousClock.now < deadline, "waited in vain; the last status was \(status.line)")
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// SIGKILL; returns when it is gone.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
