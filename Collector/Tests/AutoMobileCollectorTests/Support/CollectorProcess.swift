import AsyncHTTPClient
import AutoMobileJournal
import Foundation
import Testing

/// `automobile serve` as a process of its own, so that it can be killed.
final class CollectorProcess: @unchecked Sendable {
  // Unchecked for `Process`: it is only started once, and killed by its number.
  private let process = Process()
  private let ended: Ended
  let port: Int
  var pid: Int32 { process.processIdentifier }

  /// Starts one and waits until it listens.
  ///
  /// - Parameters:
  ///   - fileSizeLimit: in kilobytes; writes beyond it fail.
  ///   - umask: as the shell has it.
  ///   - environment: beside that of the tests.
  init(
    directory: URL, fileSizeLimit: Int? = nil, umask: String? = nil, arguments: [String] = [],
    environment: [String: String] = [:]
  ) async throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "automobile")
    let pipe = Pipe()
    process.executableURL = program
    process.arguments = ["serve", "--port", "0", "--data", directory.path, "--json"] + arguments
    if let fileSizeLimit {
      process.executableURL = URL(filePath: "/bin/bash")
      process.arguments =
        ["-c", "ulimit -f \(fileSizeLimit); trap '' XFSZ; exec \"$0\" \"$@\"", program.path] + (process.arguments ?? [])
    }
    if let umask {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "umask \(umask); exec \"$0\" \"$@\"", program.path] + (process.arguments ?? [])
    }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    let ended = Ended()
    self.ended = ended
    process.terminationHandler = { _ in ended.set() }
    try process.run()
    let line = try await Self.firstLine(of: pipe.fileHandleForReading)
    let place = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
    let text = try #require(place["url"].string)
    port = try #require(URL(string: text)?.port)
  }

  /// The status of the answer.
  func post(_ batch: RawBatch) async throws -> Int {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/sdk-events")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: BatchHeader.mediaType)
    request.body = .bytes(try batch.body())
    let response = try await RunningCollector.client.execute(request, timeout: .seconds(60))
    _ = try await response.body.collect(upTo: 1 << 20)
    return Int(response.status.code)
  }

  func get(_ path: String) async throws -> String {
    let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    let response = try await RunningCollector.client.execute(request, timeout: .seconds(60))
    return String(buffer: try await response.body.collect(upTo: 64 << 20))
  }

  /// Asks until `isDone`, for at most a minute.
  func wait(for path: String, until isDone: (JSONValue) -> Bool) async throws {
    try await wait(for: path) { (text: String) in
      (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))).map(isDone) ?? false
    }
  }

  /// Asks until `text` is in the answer, for at most a minute.
  func wait(for path: String, text: String) async throws { try await wait(for: path) { $0.contains(text) } }

  private func wait(for path: String, until isDone: (String) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    var last = try await get(path)
    while !isDone(last) {
      try #require(ContinuousClock.now < deadline, "waited in vain; the last answer was \(last.prefix(2000))")
      try await Task.sleep(for: .milliseconds(10))
      last = try await get(path)
    }
  }

  /// SIGKILL; returns when the process is gone.
  func kill() async {
    Foundation.kill(process.processIdentifier, SIGKILL)
    await ended.wait()
  }

  /// SIGTERM; returns the exit code.
  func terminate() async -> Int32 {
    process.terminate()
    await ended.wait()
    return process.terminationStatus
  }

  private static func firstLine(of file: FileHandle) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "first line").async {
        var line = Data()
        while !line.contains(0x0A) {
          let part = file.availableData
          if part.isEmpty { break }
          line.append(part)
        }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Something that happens once, and can be waited for.
  private final class Ended: @unchecked Sendable {
    // Unchecked because `lock` guards both.
    private let lock = NSLock()
    private var isSet = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func set() {
      let continuations = lock.withLock {
        isSet = true
        defer { waiting = [] }
        return waiting
      }
      for continuation in continuations { continuation.resume() }
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let isDone = lock.withLock {
          if !isSet { waiting.append(continuation) }
          return isSet
        }
        if isDone { continuation.resume() }
      }
    }
  }
}

extension CollectorProcess {
  /// Sends JSON; the status of the answer.
  func send(_ path: String, _ body: String) async throws -> Int {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    request.body = .bytes(Data(body.utf8))
    let response = try await RunningCollector.client.execute(request, timeout: .seconds(60))
    _ = try await response.body.collect(upTo: 1 << 20)
    return Int(response.status.code)
  }
}
