import CChildProcess
import Foundation

/// A program that runs beside this one and is talked to through its standard input and output.
///
/// Not Foundation's `Process`: on Linux its `run()` copies directory entries past the end of their buffer, and a
/// collector with many connections dies of that.
final class ChildProcess {
  /// What it reads, and what it writes.
  let input: Int32
  let output: Int32
  private let pid: pid_t
  private var status: Int32?

  /// Starts a program; it gets none of this process's other files, nor its signal mask.
  ///
  /// - Parameter joinsErrors: its errors come with its output; else they go nowhere.
  /// - Throws: `SystemError`.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String], directory: String? = nil,
    joinsErrors: Bool = false
  ) throws {
    let words = ([executable] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var child = am_child()
    let code = am_child_start(executable, words, variables, directory, joinsErrors, &child)
    guard code == 0 else { throw SystemError("start", executable, code: code) }
    pid = child.pid
    input = child.input
    output = child.output
  }

  /// What it may take from now on; it writes no files.
  ///
  /// - Throws: `SystemError`, when it could take more.
  func limit(memory: UInt64, seconds: UInt64) throws {
    let code = am_child_limit(pid, memory, seconds)
    // One that has ended already takes nothing.
    guard code == 0 || code == ESRCH else { throw SystemError("limit", "\(pid)", code: code) }
  }

  deinit {
    kill()
    close(input)
    close(output)
  }

  var isRunning: Bool {
    guard status == nil else { return false }
    var status: Int32 = 0
    if waitpid(pid, &status, WNOHANG) == pid { self.status = status }
    return self.status == nil
  }

  /// SIGKILL; returns when it is gone.
  func kill() {
    guard isRunning else { return }
    Foundation.kill(pid, SIGKILL)
    wait()
  }

  /// Waits for its end, and returns its status as `waitpid` has it.
  @discardableResult
  func wait() -> Int32 {
    var status = self.status ?? 0
    while self.status == nil {
      if waitpid(pid, &status, 0) == pid || errno != EINTR { self.status = status }
    }
    return status
  }
}
