import Foundation

@testable import AutoMobileNetworkLog

/// A log in a directory of a test's own.
struct TemporaryLog: Sendable {
  let directory: NetworkLogDirectory

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("netlog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    directory = NetworkLogDirectory(url)
  }

  func remove() { try? FileManager.default.removeItem(at: directory.url) }

  /// The names of the records' files.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.records.path)) ?? []).sorted()
  }

  func writer(owner: String = "app", _ change: (inout NetworkLogOptions) -> Void = { _ in }) throws -> NetworkLogWriter
  {
    var options = NetworkLogOptions()
    options.segmentSize = 64 << 10
    options.freeDiskFloor = 0
    change(&options)
    return try NetworkLogWriter(directory, owner: owner, options: options)
  }
}
