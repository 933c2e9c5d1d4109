import AutoMobileClickHouse
import Foundation
import GRDB

/// A data directory that is moved, taken for itself, and its index, which is only read.
final class MovedDirectory: Sendable {
  let directory: DataDirectory
  let store: EventStore

  var path: String { directory.path }

  /// - Throws: ``CollectorError`` when a collector uses it, something of it is not in its index yet, or it is elsewhere already.
  init(_ url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.appending(path: "index.sqlite").path) else {
      throw CollectorError.directoryUnusable(path: url.path, reason: "there is no collector's data in it")
    }
    directory = try DataDirectory(url)
    do {
      store = try EventStore(reading: directory.index)
    } catch {
      directory.release()
      throw error
    }
    do {
      try TelemetryMark.check(store)
      try checkIndexed()
      try checkErasures()
    } catch {
      close()
      throw error
    }
  }

  func close() {
    try? store.close()
    directory.release()
  }

  /// What waits in the log is no row of the index yet.
  private func checkIndexed() throws {
    let log = try LogDirectory(path: directory.ingestLog)
    let end = try log.segments().last.map { LogPosition(segment: $0.number, offset: $0.size) }
    guard let end, case let start = try store.logPosition(), start < end else { return }
    let most = store.limits.maximumLogBody
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LogFrame.headerSize + most, alignment: 16)
    defer { buffer.deallocate() }
    var reader = LogReader(directory: log, from: start, maximumBody: most, buffer: buffer)
    guard try reader.next(before: end) == nil else { throw unfinished("something in its log is not in its index yet") }
  }

  /// The list of what is being erased goes nowhere.
  private func checkErasures() throws {
    let waits = try store.pool.read {
      try Bool.fetchOne(
        $0, sql: "SELECT EXISTS (SELECT 1 FROM erasure WHERE step <> ?)", arguments: [ErasureStep.done.rawValue])
    }
    if waits == true { throw unfinished("somebody is being erased in it") }
  }

  private func unfinished(_ what: String) -> CollectorError {
    CollectorError.directoryUnusable(
      path: directory.path, reason: "\(what): start its collector once, and stop it when it has caught up")
  }
}
