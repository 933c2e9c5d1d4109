import Foundation

/// The collector's directory, held by one process at a time.
struct DataDirectory: Sendable {
  let path: String
  /// The lock lives as long as this descriptor is open; the system lets go of it when the process ends, however.
  private let lock: FileDescriptor

  init(_ url: URL) throws {
    path = url.path
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      lock = try FileDescriptor(
        creating: url.appendingPathComponent("lock").path, flags: O_RDWR | O_CREAT | O_CLOEXEC, permissions: 0o600)
    } catch let error as SystemError {
      throw CollectorError.directoryUnusable(path: url.path, reason: error.description)
    } catch {
      throw CollectorError.directoryUnusable(path: url.path, reason: error.localizedDescription)
    }
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { throw CollectorError.directoryInUse(path: url.path) }
  }

  var replays: String { path + "/replays" }
  var incoming: String { path + "/incoming" }
  var ingestLog: String { path + "/ingest" }
  var symbols: URL { URL(filePath: path).appending(path: "symbols") }
  var index: String { path + "/index.sqlite" }
}
