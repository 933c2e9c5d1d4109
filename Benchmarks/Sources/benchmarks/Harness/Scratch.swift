import Foundation

/// A directory that is gone afterwards.
func withScratchDirectory<R>(_ body: (URL) throws -> R) rethrows -> R {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("automobile-bench-\(UUID().uuidString)")
  try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try body(directory)
}
