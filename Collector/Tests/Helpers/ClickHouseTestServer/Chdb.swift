import AutoMobileClickHouse
import Foundation
import NIOCore

/// A current release of ClickHouse inside of a Python process: what it says to the same statements. It has no HTTP.
package final class Chdb {
  static let python = URL(filePath: #filePath).resolvingSymlinksInPath()
    .appending(path: "../../../../../.build/python/bin/python").standardized.path
  package static let isInstalled: Bool = {
    let folder = URL(filePath: python).appending(path: "../../lib").standardized
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return versions.contains {
      FileManager.default.fileExists(atPath: "\(folder.path)/\($0)/site-packages/chdb/__init__.py")
    }
  }()
  package static let missing =
    "chdb is not installed: run Scripts/setup test, which installs it (a current ClickHouse)"

  private let process: GuardedProcess
  private let folder = FileManager.default.temporaryDirectory.appending(path: "chdb-\(UUID().uuidString)")

  package init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let replica = "<replica><host>127.0.0.1</host><port>9000</port></replica>"
    let clusters = "<clickhouse><remote_servers><pair><shard>\(replica)</shard></pair></remote_servers></clickhouse>"
    try Data(clusters.utf8).write(to: folder.appending(path: "config.xml"))
    let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "chdb_session.py")
    process = try GuardedProcess([Self.python, program.path, folder.path], in: folder)
  }

  deinit {
    process.end()
    try? FileManager.default.removeItem(at: folder)
  }

  package struct Refusal: Error {
    package var message: String
  }

  /// - Parameter parameters: values are bound, not written into the text.
  @discardableResult
  package func ask(_ sql: SQL, parameters: Bool = true, format: String = "RowBinary") throws -> RowBinaryReader {
    let rendered = sql.rendered(parameters: parameters)
    return try ask(
      rendered.text, Dictionary(uniqueKeysWithValues: rendered.parameters.map { ($0.name, $0.value) }), format)
  }

  package func insert(_ rows: ByteBuffer, _ sql: SQL) throws {
    let file = folder.appending(path: "rows-\(UUID().uuidString)")
    try Data(rows.readableBytesView).write(to: file)
    _ = try ask("\(sql.rendered(parameters: false).text) FROM INFILE '\(file.path)' FORMAT RowBinary", [:], "Null")
  }

  private func ask(_ text: String, _ parameters: [String: String], _ format: String) throws -> RowBinaryReader {
    let question: [String: Any] = ["sql": text, "parameters": parameters, "format": format]
    var line = try JSONSerialization.data(withJSONObject: question)
    line.append(UInt8(ascii: "\n"))
    try process.write(line)
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      let more = process.read()
      guard !more.isEmpty else { throw Refusal(message: "chdb has ended") }
      answer.append(more)
    }
    guard let object = try JSONSerialization.jsonObject(with: answer) as? [String: String] else {
      throw Refusal(message: "chdb answers no object")
    }
    if let error = object["error"] { throw Refusal(message: error) }
    guard let bytes = Data(base64Encoded: object["answer"] ?? "") else {
      throw Refusal(message: "chdb answers no bytes")
    }
    return RowBinaryReader(ByteBuffer(bytes: bytes))
  }
}
