import AutoMobileJournal
import CAutoMobile
import Foundation

/// The crash lanes in a journal's directory, and the few things that are done to them. Every step is one that a kill can
/// come before or after, but not into.
package struct CrashLaneDirectory: Sendable {
  let url: URL

  /// The lanes, in no order.
  func names() -> [CrashLaneName] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).compactMap { CrashLaneName($0) }
  }

  /// A lane's first bytes, and when it was last written, in milliseconds since 1970; nil when it cannot be read now.
  package func read(_ name: CrashLaneName, limit: Int) -> (bytes: [UInt8], modified: Int64)? {
    guard let file = FileBytes(path: path(name)) else { return nil }
    var status = stat()
    guard stat(path(name), &status) == 0 else { return nil }
    #if canImport(Darwin)
    let seconds = Int64(status.st_mtimespec.tv_sec)
    #else
    let seconds = Int64(status.st_mtim.tv_sec)
    #endif
    return (file.read(at: 0, count: min(file.size, limit)), seconds &* 1000)
  }

  /// Marks a lane as one whose event `claimer` is about to record: of two that try, one succeeds.
  func claim(_ name: CrashLaneName, by claimer: LaunchID) -> CrashLaneName? {
    let claimed = CrashLaneName(launch: name.launch, claimer: claimer)
    if name == claimed { return name }
    return rename(path(name), path(claimed)) == 0 ? claimed : nil
  }

  /// Counts that a launch began to make a report of this lane, so that a lane that kills whoever reads it does not do so
  /// for ever.
  ///
  /// - Returns: how often that happened, this time included.
  func noteAttempt(_ name: CrashLaneName) -> UInt64 {
    let attempts = (word(name, at: Self.attempts) ?? 0).addingReportingOverflow(1).partialValue
    write(attempts, name, at: Self.attempts)
    return attempts
  }

  /// The attempt ended well, or failed for a reason that does not lie in the lane.
  func forgetAttempts(_ name: CrashLaneName) { write(0, name, at: Self.attempts) }

  /// Its event is recorded, or there was none. Should removing it fail, it at least says so.
  func finish(_ name: CrashLaneName) {
    if unlink(path(name)) != 0, errno != ENOENT { write(1, name, at: Self.finished) }
  }

  func isFinished(_ name: CrashLaneName) -> Bool { word(name, at: Self.finished) == 1 }

  static let damagedName = "damaged.crash-lane"

  /// Keeps a lane that cannot be read for whoever wants to know why: the last one only.
  func setAside(_ name: CrashLaneName) {
    let target = url.appendingPathComponent(Self.damagedName).path
    if rename(path(name), target) != 0 { finish(name) }
  }

  private func path(_ name: CrashLaneName) -> String { url.appendingPathComponent(name.text).path }

  private static let attempts = MemoryLayout<am_lane_header>.offset(of: \.attempts) ?? 0
  private static let finished = MemoryLayout<am_lane_header>.offset(of: \.finished) ?? 0

  private func word(_ name: CrashLaneName, at offset: Int) -> UInt64? {
    guard let bytes = FileBytes(path: path(name))?.read(at: offset, count: 8) else { return nil }
    var reader = ByteReader(bytes)
    return reader.u64()
  }

  private func write(_ value: UInt64, _ name: CrashLaneName, at offset: Int) {
    let descriptor = open(path(name), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Never beyond the end: a lane that was cut short is not made longer.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= offset + 8 else { return }
    var value = value.littleEndian
    _ = pwrite(descriptor, &value, 8, off_t(offset))
  }
}
