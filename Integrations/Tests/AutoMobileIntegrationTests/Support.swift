import Foundation
import Testing

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("automobile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A program of the tests' own, or the collector.
final class Program: @unchecked Sendable {
  // Unchecked, because `Process` is not declared `Sendable`: it is started once, and ended from one place.
  let process = Process()
  private let output = Pipe()

  init(_ file: URL, _ arguments: [String]) throws {
    process.executableURL = file
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = output
    try process.run()
  }

  /// What it says first.
  func firstLine() throws -> String {
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  func kill(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

  deinit {
    if process.isRunning { kill(SIGKILL) }
  }

  /// Built beside the tests.
  static var app: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent().appendingPathComponent("integrated-app")
    #else
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("integrated-app")
    #endif
  }

  /// The collector, which `make test-integrations` builds; nil where nobody has said where it is.
  static var collector: URL? {
    ProcessInfo.processInfo.environment["AUTOMOBILE_TOOL"].map { URL(fileURLWithPath: $0) }
  }
}

/// A collector that runs as long as this lives.
final class Collector: Sendable {
  private let program: Program
  private let directory: TemporaryDirectory
  let url: String

  init() throws {
    directory = try TemporaryDirectory()
    let tool = try #require(Program.collector, "say where the collector is: AUTOMOBILE_TOOL")
    program = try Program(tool, ["serve", "--json", "--port", "0", "--data", directory.url.path + "/data"])
    struct Started: Decodable { let url: String }
    url = try JSONDecoder().decode(Started.self, from: Data(program.firstLine().utf8)).url
  }

  deinit {
    program.kill(SIGTERM)
    _ = program.wait()
  }

  typealias Members = [String: Any]

  /// Asks, until so many are there.
  func list(_ path: String, _ member: String, count: Int) async throws -> [Members] {
    let deadline = Date(timeIntervalSinceNow: 60)
    while true {
      let file = try #require(URL(string: url + path))
      let answer = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Members
      let found = answer?[member] as? [Members] ?? []
      if found.count >= count { return found }
      try #require(Date() < deadline, "waited in vain for \(path): \(found)")
      try await Task.sleep(nanoseconds: 50_000_000)
    }
  }

  /// What a search finds of events, the oldest first.
  func events(_ query: String, count: Int) async throws -> [Members] {
    let query = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    return try await list("api/events?limit=1000&q=\(query)", "events", count: count).reversed()
      .compactMap { $0["payload"] as? Members }
  }
}
