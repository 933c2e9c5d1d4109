#if os(macOS) || os(Linux)
import Foundation

/// Programs that the tests run.
enum Tools {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let python = root.appendingPathComponent(".build/python/bin/python")
  static let harReader = root.appendingPathComponent("Tests/Helpers/har-reader/read.py")
  static let hasPython = FileManager.default.isExecutableFile(atPath: python.path)

  /// Runs a program to its end, without reading standard input and with an empty home.
  static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: Data, errors: Data)
  {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    // Files, because a pipe that is full stops whoever writes into it.
    let outputs = [directory.url.appendingPathComponent("out"), directory.url.appendingPathComponent("err")]
    for file in outputs { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory.url.path, "LC_ALL": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    let (ends, continuation) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { continuation.yield($0.terminationStatus) }
    try process.run()
    let status = await ends.first { _ in true } ?? -1
    return (status, try Data(contentsOf: outputs[0]), try Data(contentsOf: outputs[1]))
  }
}
#endif
