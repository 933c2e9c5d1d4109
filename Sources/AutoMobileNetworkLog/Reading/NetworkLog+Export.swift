import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation

extension NetworkLog {
  /// Writes the exchanges that a filter lets through into a file, as an HTTP archive (HAR 1.2), oldest first.
  ///
  /// One exchange at a time is in memory.
  ///
  /// - Parameters:
  ///   - file: is replaced when it is there.
  ///   - filter: which exchanges.
  ///   - version: of the program that writes the file.
  ///   - comment: for whoever opens it.
  /// - Returns: how many exchanges.
  /// - Throws: when the file cannot be written.
  @discardableResult
  public func writeHAR(
    to file: URL, _ filter: NetworkLogFilter = NetworkLogFilter(), version: String, comment: String? = nil
  ) throws -> Int {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var writer = HARWriter(version: version, comment: comment)
    var pending = Data()
    var count = 0
    try forEach(filter) { exchange, frames in
      pending += writer.entry(for: exchange, frames: frames)
      count += 1
      if pending.count > 1 << 20 {
        try handle.write(contentsOf: pending)
        pending.removeAll(keepingCapacity: true)
      }
    }
    try handle.write(contentsOf: pending + writer.end())
    return count
  }
}
