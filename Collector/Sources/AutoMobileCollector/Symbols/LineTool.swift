import Foundation
import Logging

/// A program that answers each line with a line, kept running between questions.
///
/// What it is asked comes from strangers, and it may be broken by that: an answer that does not come in time, or the
/// program's death, costs the one question that caused it; the next one goes to a fresh process. Not thread-safe: its
/// owner asks from one queue.
final class LineTool {
  private let executable: URL
  private let arguments: [String]
  private let directory: URL?
  /// For one answer, in seconds.
  private let timeLimit: Double
  /// For all answers that are asked for at once, in seconds.
  private let totalTime: Double
  /// What a file names can be read without an end (`/dev/zero`, as the place of its debug information).
  private let memory: UInt64 = 2 << 30
  /// Of computing, in the whole life of the program: one that nobody ends any more ends itself.
  private let computingSeconds: UInt64 = 600
  /// Asked at once: few and short enough that neither pipe fills up while nobody reads it.
  private let window = 16
  private let maximumAnswer = 4 << 20
  private let maximumRestarts = 16

  private var process: ChildProcess?
  private var rest: [UInt8] = []

  init(executable: URL, arguments: [String], directory: URL? = nil, timeLimit: Double = 30, totalTime: Double = 120) {
    self.executable = executable
    self.arguments = arguments
    self.directory = directory
    self.timeLimit = timeLimit
    self.totalTime = totalTime
  }

  deinit { end() }

  /// The answers, in order; nil where none came.
  ///
  /// - Parameter questions: without line breaks, at most 4 KB each.
  /// - Throws: what starting the program threw.
  func ask(_ questions: [String]) throws -> [String?] {
    var answers: [String?] = []
    var restarts = 0
    let deadline = ContinuousClock.now + .seconds(totalTime)
    while answers.count < questions.count {
      guard restarts <= maximumRestarts, ContinuousClock.now < deadline else {
        return answers + Array(repeating: nil, count: questions.count - answers.count)
      }
      try startIfNeeded()
      var bytes = 0
      let batch = questions[answers.count...].prefix(window).prefix {
        bytes += $0.utf8.count + 1
        return bytes <= 32 << 10
      }
      let got = exchange(batch.isEmpty ? questions[answers.count...].prefix(1) : batch)
      answers += got
      if got.count < max(batch.count, 1) {
        // It died, or was too slow, over the first that has no answer.
        answers.append(nil)
        restarts += 1
        end()
      }
    }
    return answers
  }

  /// Ends the process; the next question starts another.
  func end() {
    process = nil
    rest = []
  }

  private func startIfNeeded() throws {
    if let process, process.isRunning { return }
    end()
    // Writing to a program that has just died is an error here, not a reason to end this process.
    signal(SIGPIPE, SIG_IGN)
    // Nothing of the environment decides where a symbolizer looks for files.
    let process = try ChildProcess(
      executable.path, arguments,
      environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "LLVM_DISABLE_CRASH_REPORT": "1"],
      directory: directory?.path)
    try process.limit(memory: memory, seconds: computingSeconds)
    self.process = process
  }

  /// The answers that came before something went wrong.
  private func exchange(_ questions: ArraySlice<String>) -> [String] {
    guard let process else { return [] }
    // When it cannot take all of it, it may still have answered the beginning.
    send(questions.map { $0 + "\n" }.joined(), to: process.input)
    return receive(questions.count, from: process.output)
  }

  private func send(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
    }
  }

  private func receive(_ count: Int, from descriptor: Int32) -> [String] {
    var answers: [String] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var deadline = ContinuousClock.now + .seconds(timeLimit)
    while answers.count < count {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        answers.append(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
        deadline = ContinuousClock.now + .seconds(timeLimit)
        continue
      }
      guard rest.count <= maximumAnswer, ContinuousClock.now < deadline else { return answers }
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let milliseconds = (deadline - ContinuousClock.now) / .milliseconds(1)
      let ready = poll(&poller, 1, Int32(min(max(milliseconds, 1), 60_000)))
      if ready < 0, errno != EINTR { return answers }
      guard ready > 0 else { continue }
      let got = read(descriptor, &buffer, buffer.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return answers }
      rest += buffer[..<got]
    }
    return answers
  }
}
