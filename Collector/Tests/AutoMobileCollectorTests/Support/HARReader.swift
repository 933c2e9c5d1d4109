import Foundation
import NIOCore
import Testing

/// Reads HTTP archives with a reader of somebody else's, and holds them against the specification's schema.
enum HARReader {
  private static let root = URL(filePath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()

  static func read(_ archive: ByteBuffer) async throws {
    let python = "\(root)/.build/python/bin/python"
    try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/setup test")
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "archive.har")
    try Data(buffer: archive).write(to: file)
    let complaints = directory.url.appending(path: "complaints")
    try Data().write(to: complaints)
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["\(root)/Tests/Helpers/har-reader/read.py", file.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: complaints)
    let (ends, ending) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { ending.yield($0.terminationStatus) }
    try process.run()
    let status = await ends.first { _ in true }
    #expect(status == 0, "\(String(decoding: (try? Data(contentsOf: complaints)) ?? Data(), as: UTF8.self))")
    withExtendedLifetime(directory) {}
  }
}
