import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

/// A process that a test starts, and kills.
struct Victim {
  let pid: pid_t

  private static let program = HelperProgram.named("journal-victim").path

  init(_ arguments: [String]) throws {
    let all = [Self.program] + arguments
    var pointers = all.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var started: pid_t = 0
    let code = posix_spawn(&started, Self.program, nil, nil, &pointers, environ)
    guard code == 0 else { throw StorageError("start \(Self.program)", code: code) }
    pid = started
  }

  /// Waits for the end; the number of the signal, or the exit code below 0.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F != 0 ? status & 0x7F : -(status >> 8 & 0xFF)
  }

  @discardableResult
  func killAndWait() -> Int32 {
    kill(pid, SIGKILL)
    return wait()
  }
}

/// The test's end of the victim's witness.
struct Witness {
  struct Counts {
    var kept: UInt64
    var dropped: UInt64
  }

  private let directory: TemporaryDirectory
  let path: String

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    path = directory.url.appendingPathComponent("witness").path
    try reset()
  }

  func remove() { directory.remove() }

  func reset() throws { try Data(count: 4096).write(to: URL(fileURLWithPath: path)) }

  func counts(threads: Int) -> [Counts] {
    guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else { return [] }
    return data.withUnsafeBytes { raw in
      (0..<threads).map {
        Counts(
          kept: raw.loadUnaligned(fromByteOffset: $0 * 128, as: UInt64.self),
          dropped: raw.loadUnaligned(fromByteOffset: $0 * 128 + 8, as: UInt64.self))
      }
    }
  }
}
