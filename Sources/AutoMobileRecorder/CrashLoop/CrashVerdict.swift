import CAutoMobile

/// What the crash handler of an earlier launch said about whose crash it was.
struct CrashVerdict: Equatable, Sendable {
  enum Culprit: UInt32, Sendable {
    case app = 1
    /// The thread that crashed did the SDK's work.
    case sdk = 2
  }

  static let size = MemoryLayout<am_crash_verdict>.size

  var whose: Culprit
  var process: Int32
  /// From the beginning of the SDK's start to the crash, in milliseconds.
  var after: UInt32

  init(whose: Culprit, process: Int32, after: UInt32) {
    self.whose = whose
    self.process = process
    self.after = after
  }

  /// Nil when there is none, or it is damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, let start = bytes.baseAddress else { return nil }
    let raw = bytes.loadUnaligned(as: am_crash_verdict.self)
    guard let whose = Culprit(rawValue: raw.whose), raw.checksum == am_crc32c(0, start, Self.size - 4) else {
      return nil
    }
    self.init(whose: whose, process: raw.pid, after: raw.after)
  }

  /// For tests: as the handler writes it.
  var encoded: [UInt8] {
    var raw = am_crash_verdict(whose: whose.rawValue, pid: process, after: after, reserved: 0, checksum: 0)
    raw.checksum = withUnsafeBytes(of: &raw) { am_crc32c(0, $0.baseAddress, Self.size - 4) }
    return withUnsafeBytes(of: &raw) { Array($0) }
  }
}
