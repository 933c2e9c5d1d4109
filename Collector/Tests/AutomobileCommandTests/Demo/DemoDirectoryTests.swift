import Foundation
import Testing

@testable import automobile

@Suite struct `The demo's directory` {
  private func temporary() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "demo-directory-\(UUID().uuidString)")
  }

  @Test func `an earlier demo's directory is emptied`() throws {
    let directory = DemoDirectory(url: temporary())
    defer { directory.remove() }
    try directory.prepare()
    let left = directory.collector.appending(path: "index.sqlite")
    try Data("old".utf8).write(to: left)
    try directory.witness(launch: 1).create()
    try directory.prepare()
    #expect(!FileManager.default.fileExists(atPath: left.path))
    #expect(!FileManager.default.fileExists(atPath: directory.witness(launch: 1).url.path))
    #expect(FileManager.default.fileExists(atPath: directory.app.path))
  }

  @Test func `a directory of somebody else's is refused and left alone`() throws {
    let url = temporary()
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(at: url.appending(path: "collector"), withIntermediateDirectories: true)
    let file = url.appending(path: "collector/thesis.txt")
    try Data("precious".utf8).write(to: file)
    #expect(throws: Failure.self) { try DemoDirectory(url: url).prepare() }
    #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
  }

  @Test func `the witness sums the counters of all threads`() throws {
    let url = temporary()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let witness = WitnessFile(url: url.appending(path: "witness"))
    try witness.create()
    #expect(try witness.returnedCalls() == 0)
    var data = try Data(contentsOf: witness.url)
    data[0] = 5
    data[64 + 1] = 1
    data[15 * 64] = 2
    try data.write(to: witness.url)
    #expect(try witness.returnedCalls() == 5 + 256 + 2)
  }
}
