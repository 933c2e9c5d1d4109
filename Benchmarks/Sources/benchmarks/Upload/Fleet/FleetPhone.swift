import AutoMobileJournal
import Foundation

/// A phone: some sessions, one launch after the other in one directory, and a last launch that delivers what is left.
struct FleetPhone {
  /// What has been recorded in a session.
  struct Recorded {
    var session: FleetSession
    var launch: LaunchID
    /// When it began, in milliseconds since 1970.
    var begin: Int64
  }

  struct Failure: Error { var message: String }

  let sessions: [FleetSession]

  /// Lives through all of it.
  ///
  /// - Returns: its sessions, and the name of its last launch.
  func live(
    _ mode: FleetProcess.Mode, in directory: URL, _ url: String
  ) throws -> (sessions: [Recorded], last: LaunchID) {
    let place = directory.appendingPathComponent("phone")
    var recorded: [Recorded] = []
    var before = FleetProcess.Before.nothing
    for (index, session) in sessions.enumerated() {
      let witness = directory.appendingPathComponent("session-\(index)")
      try launch(
        [
          place.path, url, mode.rawValue, String(session.number), session.fault?.rawValue ?? "-", witness.path,
          before.rawValue,
        ], signal: session.fault == .crash ? SIGSEGV : SIGKILL)
      before = session.fault == .crash ? .crashed : .killed
      let (begin, name) = try told(witness)
      recorded.append(Recorded(session: session, launch: name, begin: begin))
    }
    let witness = directory.appendingPathComponent("last")
    try launch(
      [place.path, url, mode.rawValue, String(FleetProcess.last), "-", witness.path, before.rawValue], signal: SIGKILL)
    return (recorded, try told(witness).launch)
  }

  private func told(_ witness: URL) throws -> (begin: Int64, launch: LaunchID) {
    let told = try String(contentsOf: witness, encoding: .utf8).split(separator: " ")
    guard told.count == 2, let begin = Int64(told[0]), let launch = LaunchID(told[1]) else {
      throw Failure(message: "a launch says \(told)")
    }
    return (begin, launch)
  }

  /// Runs this program again, and waits for its end by a signal.
  private func launch(_ arguments: [String], signal: Int32) throws {
    var pointers =
      ([CommandLine.arguments[0], FleetProcess.argument] + arguments + (Measurement.isShort ? ["--short"] : []))
      .map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, CommandLine.arguments[0], nil, nil, &pointers, environ) == 0 else {
      throw Failure(message: "a process could not be started: \(errno)")
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status & 0x7F == signal else {
      throw Failure(message: "\(arguments) ended with status \(status >> 8), signal \(status & 0x7F)")
    }
  }
}
