import Foundation

/// Runs the program `automobile` as a process, as a person or a script does.
struct Tool {
  struct Result {
    var code: Int32
    var output: String
    var errors: String
    var lines: [Substring] { output.split(separator: "\n") }
  }

  /// The build puts it beside the tests.
  static let path: URL = {
    let tests = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
    let folders = tests.map { $0.deletingLastPathComponent() }
    let candidates = folders.map { $0.appending(path: "automobile") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? URL(filePath: ".build/debug/automobile")
  }()

  /// Runs it to its end.
  static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
    try await run(arguments, environment: environment)
  }

  static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    try await result(of: start(arguments, environment: environment))
  }

  /// Runs another program: a shell, or what makes a terminal.
  static func run(program: String, _ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    let path = program.hasPrefix("/") ? URL(filePath: program) : URL(filePath: "/usr/bin/env")
    let arguments = program.hasPrefix("/") ? arguments : [program] + arguments
    return try await result(of: start(arguments, path: path, environment: environment))
  }

  private static func result(of process: Running) async throws -> Result {
    // Each pipe is read by a thread of its own: a pipe that fills up would hold the program up.
    async let output = process.output.text()
    async let errors = process.errors.text()
    let result = await (output, errors)
    process.process.waitUntilExit()
    return Result(code: process.process.terminationStatus, output: result.0, errors: result.1)
  }

  struct Running {
    let process = Process()
    let output = Reader()
    let errors = Reader()
  }

  static func start(
    _ arguments: [String], path: URL = path, environment: [String: String] = [:]
  ) throws -> Running {
    let running = Running()
    let process = running.process
    process.executableURL = path
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    for name in [
      "COLUMNS", "NO_COLOR", "AUTOMOBILE_URL", "AUTOMOBILE_KEY", "AUTOMOBILE_OPERATOR_KEY", "AUTOMOBILE_CONFIG",
      "AUTOMOBILE_DEMO_APP",
    ] {
      variables[name] = nil
    }
    // Whoever runs the tests may have saved a collector.
    variables["XDG_CONFIG_HOME"] = "/dev/null/none"
    process.environment = variables.merging(environment) { _, new in new }
    process.standardOutput = running.output.pipe
    process.standardError = running.errors.pipe
    try process.run()
    return running
  }

  /// Reads a pipe on a thread of its own, line by line.
  final class Reader: Sendable {
    let pipe = Pipe()
    private let lines: AsyncStream<String>

    init() {
      let (lines, continuation) = AsyncStream<String>.makeStream()
      self.lines = lines
      let handle = pipe.fileHandleForReading
      Thread.detachNewThread {
        var rest: [UInt8] = []
        while case let data = handle.availableData, !data.isEmpty {
          rest += data
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeFirst(end + 1)
          }
        }
        if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
        continuation.finish()
      }
    }

    /// The next line; nil at the end.
    func line() async -> String? {
      for await line in lines { return line }
      return nil
    }

    /// What is left.
    func text() async -> String {
      var text = ""
      for await line in lines { text += line + "\n" }
      return text
    }
  }
}
