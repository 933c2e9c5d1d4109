import AutoMobileState
import Foundation

/// One run of the demo's app.
///
/// `@unchecked Sendable`: Foundation's `Process` is not marked; it is started once, and afterwards only its documented
/// thread-safe members are used.
final class AppProcess: @unchecked Sendable {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private let ended: AsyncStream<Void>
  /// The words that the app says, each on a line.
  let words: AsyncStream<String>

  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)

    var description: String {
      switch self {
      case .exit(let code): "exit \(code)"
      case .signal(SIGKILL): "SIGKILL"
      case .signal(SIGSEGV): "SIGSEGV"
      case .signal(SIGABRT): "SIGABRT"
      case .signal(SIGBUS): "SIGBUS"
      case .signal(SIGILL): "SIGILL"
      case .signal(SIGTRAP): "SIGTRAP"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  init(_ program: URL, _ arguments: [String]) throws {
    process.executableURL = program
    process.arguments = arguments
    // Swift's own crash reporter would hold the process up for seconds, and write over the demo's output.
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    process.standardOutput = output
    process.standardInput = input

    let (ended, ending) = AsyncStream<Void>.makeStream()
    self.ended = ended
    process.terminationHandler = { _ in ending.finish() }

    let (words, speaker) = AsyncStream<String>.makeStream()
    self.words = words
    let reader = output.fileHandleForReading
    startThread("app-output") {
      var line: [UInt8] = []
      while case let data = reader.availableData, !data.isEmpty {
        for byte in data {
          if byte == UInt8(ascii: "\n") {
            speaker.yield(String(decoding: line, as: UTF8.self))
            line.removeAll()
          } else {
            line.append(byte)
          }
        }
      }
      speaker.finish()
    }
    try process.run()
    // Only the app may hold the pipe's other end, or its end would never be seen.
    try? output.fileHandleForWriting.close()
  }

  /// Waits until the app says `word`; false when it ended without.
  func says(_ word: String) async -> Bool {
    for await said in words where said == word { return true }
    return false
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Tells the app that it may go.
  func release() { try? input.fileHandleForWriting.close() }

  func waitForEnd() async -> End {
    for await _ in ended {}
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
  }
}
