import AutoMobileJournal
import CAutoMobile

/// What is known about how the SDK's last starts went: 96 bytes that outlive the process.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `AMSTART1` |
/// | 8 | 8 | a hash of the versions of app and SDK |
/// | 16 | 4 | starts in a row in which the process died |
/// | 20 | 4 | launches for which the SDK still stays off |
/// | 24 | 4 | for how many launches it stayed off the last time |
/// | 28 | 4 | the process that is starting; 0 when none is |
/// | 32 | 40 | the part of the start that it is in, UTF-8, filled up with zeros |
/// | 92 | 4 | CRC-32C of bytes 0 to 91 |
struct StartRecord: Equatable, Sendable {
  /// What to do with this launch.
  enum Decision: Equatable, Sendable {
    case start
    /// Stay off: after how many deaths, in which part of the start, and for how many launches after this one.
    case stayOff(deaths: UInt32, stage: String, more: UInt32)
  }

  static let size = 96
  /// Deaths in a row after which the SDK stays off.
  static let tolerated: UInt32 = 3
  /// The longest that it stays off, in launches.
  static let longestPause: UInt32 = 16

  /// Names the code that was started: other code deserves another try.
  var build: UInt64 = 0
  var deaths: UInt32 = 0
  var off: UInt32 = 0
  var pause: UInt32 = 0
  /// The process whose start is not over; 0 when there is none.
  var starting: Int32 = 0
  var stage = ""

  /// A process begins to start the SDK.
  ///
  /// - Parameter isAlive: whether a process of this number runs, other than this one.
  mutating func begin(build: UInt64, process: Int32, isAlive: (Int32) -> Bool) -> Decision {
    if build != self.build { self = StartRecord(build: build) }
    if starting != 0, !isAlive(starting) {
      deaths = deaths.adding(saturating: 1)
      starting = 0
    }
    if off > 0 {
      off &-= 1
      return .stayOff(deaths: deaths, stage: stage, more: off)
    }
    // Each death after a pause makes the next one twice as long; a start that succeeds begins anew.
    if deaths >= Self.tolerated &+ (pause == 0 ? 0 : 1) {
      let deaths = deaths
      pause = min(max(1, pause.multiplied(saturating: 2)), Self.longestPause)
      off = pause &- 1
      self.deaths = Self.tolerated
      return .stayOff(deaths: deaths, stage: stage, more: off)
    }
    starting = process
    stage = "initialize"
    return .start
  }

  /// The start is over, and the process lives.
  mutating func end(process: Int32) {
    guard starting == process else { return }
    self = StartRecord(build: build)
  }

  /// The deaths that were counted had nothing to do with the SDK.
  mutating func forgive() {
    deaths = 0
    pause = 0
  }
}

extension StartRecord {
  /// The bytes of `AMSTART1`.
  private static let magic: UInt64 = 0x3154_5241_5453_4D41
  private static let stageSize = 40

  /// Nil when the bytes are something else, or damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size else { return nil }
    func word(_ offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian }
    func long(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian }
    guard long(0) == Self.magic, word(92) == am_crc32c(0, bytes.baseAddress, 92) else { return nil }
    build = long(8)
    deaths = word(16)
    off = min(word(20), Self.longestPause)
    pause = min(word(24), Self.longestPause)
    starting = Int32(bitPattern: word(28))
    stage = String(decoding: bytes[32..<32 + Self.stageSize].prefix { $0 != 0 }, as: UTF8.self)
  }

  var encoded: [UInt8] {
    var record = [UInt8](repeating: 0, count: Self.size)
    record.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: Self.magic.littleEndian, as: UInt64.self)
      bytes.storeBytes(of: build.littleEndian, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: deaths.littleEndian, toByteOffset: 16, as: UInt32.self)
      bytes.storeBytes(of: off.littleEndian, toByteOffset: 20, as: UInt32.self)
      bytes.storeBytes(of: pause.littleEndian, toByteOffset: 24, as: UInt32.self)
      bytes.storeBytes(of: starting.littleEndian, toByteOffset: 28, as: Int32.self)
      for (offset, byte) in stage.utf8.prefix(Self.stageSize - 1).enumerated() { bytes[32 + offset] = byte }
      bytes.storeBytes(of: am_crc32c(0, bytes.baseAddress, 92).littleEndian, toByteOffset: 92, as: UInt32.self)
    }
    return record
  }
}
