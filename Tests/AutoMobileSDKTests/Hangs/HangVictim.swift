#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import Testing

/// A process whose main thread hangs to order.
final class HangVictim {
  let directory: TemporaryDirectory
  private let process: ProcessRun
  private(set) var pid: Int32 = 0
  private var number = 0

  var recordings: URL { directory.file("recordings") }

  /// Returns when its watchdog is awake.
  init(_ directory: TemporaryDirectory? = nil, _ mode: String = "run-loop", variables: [String: String] = [:])
    async throws
  {
    self.directory = try directory ?? TemporaryDirectory()
    try? FileManager.default.removeItem(at: self.directory.file("armed"))
    process = try ProcessRun("hang-victim", [self.directory.url.path, mode], variables: variables)
    pid = try #require(Int32(try await file("armed")))
  }

  deinit {
    resume()
    process.kill()
  }

  /// The main thread hangs from now on.
  func hang(_ way: String) throws {
    number += 1
    try Data(way.utf8).write(to: directory.file("hang-\(number)"), options: .atomic)
  }

  /// The main thread does what it was told last.
  var isHanging: Bool { FileManager.default.fileExists(atPath: directory.file("begun-\(number)").path) }

  /// The main thread goes on; returns when it does.
  func release() async throws {
    try Data().write(to: directory.file("release-\(number)"))
    _ = try await file("over-\(number)")
  }

  func stop() { kill(pid, SIGSTOP) }
  func resume() { if pid > 0 { kill(pid, SIGCONT) } }

  func endByForce() async {
    process.kill()
    _ = await process.status()
  }

  /// Has another process be its debugger, until the returned file is removed.
  func attachDebugger() async throws -> (file: URL, debugger: ProcessRun) {
    let file = directory.file("debugger")
    try Data().write(to: file)
    let debugger = try ProcessRun("hang-victim", ["debug", "\(pid)", file.path])
    _ = try await self.file("debugger.attached")
    return (file, debugger)
  }

  /// What a file says, once it is there.
  private func file(_ name: String) async throws -> String {
    let url = directory.file(name)
    try #require(
      await eventually { FileManager.default.fileExists(atPath: url.path) || !self.process.isRunning }, "\(name)")
    return try String(contentsOf: url, encoding: .utf8)
  }

  // MARK: What it has recorded

  /// The records of this kind in its journal, read from outside while it runs.
  func records(_ kind: RecordKind) -> [JournalRecord] {
    let reader = JournalReader(directory: recordings)
    return reader.launches().flatMap { reader.read($0, from: 0, maximumRecords: 100_000).records }
      .filter { $0.kind == kind }
  }

  var events: [SdkHangEvent] {
    records(.event).compactMap { try? JSONDecoder().decode(SdkHangEvent.self, from: Data($0.payload)) }
  }

  /// What it says of hangs that go on, the last one last.
  var provisional: [SdkHangEvent] {
    records(.provisionalHang).compactMap { try? JSONDecoder().decode(SdkHangEvent.self, from: Data($0.payload)) }
  }

  var ends: Int {
    records(.provisionalHang).count { $0.payload.starts(with: #"{"ended""#.utf8) }
  }
}

extension SdkHangEvent {
  /// The functions of the victim on the main thread's stack, the innermost first, by their mangled names.
  var guilty: [String] {
    guard let report else { return [] }
    return report.threads.first?.frames.compactMap { frame in
      guard let image = frame.image, report.images[image].name == "hang-victim" else { return nil }
      return frame.symbol
    } ?? []
  }
}
#endif
