import AutoMobileJournal
import CAutoMobile

/// What is known about how the SDK's last starts went: 128 bytes that outlive the process.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `AMSTART2` |
/// | 8 | 8 | a hash of the versions of app and SDK |
/// | 16 | 4 | starts in a row of which the process died by the SDK's fault |
/// | 20 | 4 | the same of starts in safe mode |
/// | 24 | 4 | launches for which the SDK still does less |
/// | 28 | 4 | for how many launches it did the last time |
/// | 32 | 4 | the process that has started it last; 0 when none has |
/// | 36 | 4 | how far that came: ``Progress`` |
/// | 40 | 4 | how it was started: ``Mode`` |
/// | 44 | 40 | the part of the start that it is in, UTF-8, filled up with zeros |
/// | 84 | 4 | CRC-32C of bytes 0 to 83 |
/// | 88 | 20 | ``CrashVerdict``, which a crash handler writes |
struct StartRecord: Equatable, Sendable {
  /// How the SDK is started.
  enum Mode: UInt32, Sendable {
    case full
    /// It reports crashes, and does nothing else on its own.
    case safe
    case off
  }

  enum Progress: UInt32, Sendable {
    case none
    /// The thread that initializes is in the SDK.
    case calling
    /// What is left is done in the background.
    case background
    /// The start is over, and the process lived.
    case done
  }

  /// What to do with this launch.
  struct Decision: Equatable, Sendable {
    var mode = Mode.full
    /// After how many deaths, in which part of the start, and for how many launches after this one: unless it is a full start.
    var deaths: UInt32 = 0
    var stage = ""
    var more: UInt32 = 0
  }

  static let size = 128
  /// Where the crash handler's word stands, and where what this is the record of ends.
  static let verdictOffset = 88
  /// Deaths in a row after which the SDK does less.
  static let tolerated: UInt32 = 3
  /// Deaths in safe mode after which it does nothing.
  static let toleratedInSafeMode: UInt32 = 2
  /// The longest that it does less, in launches.
  static let longestPause: UInt32 = 16
  /// A crash of the SDK's counts as one of its start for so long, in milliseconds.
  static let startMs: UInt32 = 10_000

  /// Names the code that was started: other code deserves another try.
  var build: UInt64 = 0
  var deaths: UInt32 = 0
  var safeDeaths: UInt32 = 0
  var off: UInt32 = 0
  var pause: UInt32 = 0
  /// The process that started it last, and is not known to have died; 0 when there is none.
  var process: Int32 = 0
  var progress = Progress.none
  var mode = Mode.full
  var stage = ""

  /// A process begins to start the SDK.
  ///
  /// - Parameters:
  ///   - verdict: what a crash handler has said since the last start.
  ///   - isAlive: whether a process of this number runs, other than this one.
  mutating func begin(
    build: UInt64, process: Int32, verdict: CrashVerdict? = nil, isAlive: (Int32) -> Bool
  ) -> Decision {
    if build != self.build { self = StartRecord(build: build) }
    judge(verdict, isAlive)
    var decision = Decision()
    if off > 0 {
      off &-= 1
      decision = lessened(more: off)
    } else if deaths >= Self.tolerated &+ (pause == 0 ? 0 : 1) {
      // Each death after a pause makes the next one twice as long; a start that succeeds begins anew.
      pause = min(max(1, pause.multiplied(saturating: 2)), Self.longestPause)
      off = pause &- 1
      deaths = Self.tolerated
      decision = lessened(more: off)
    }
    mode = decision.mode
    guard mode != .off else {
      self.process = 0
      return decision
    }
    self.process = process
    progress = .calling
    stage = "initialize"
    return decision
  }

  private func lessened(more: UInt32) -> Decision {
    Decision(mode: safeDeaths >= Self.toleratedInSafeMode ? .off : .safe, deaths: deaths, stage: stage, more: more)
  }

  /// What became of the process that started it last: whose fault was it?
  private mutating func judge(_ verdict: CrashVerdict?, _ isAlive: (Int32) -> Bool) {
    guard process != 0, !isAlive(process) else { return }
    switch verdict.flatMap({ $0.process == process ? $0 : nil }) {
    case .some(let verdict) where verdict.whose == .sdk:
      if progress != .done || verdict.after < Self.startMs { died() } else { forgive() }
    case .some: forgive()
    case nil:
      // Without a word nobody knows who ended it, a debugger, the user or the system; but where it was is known.
      if progress == .calling { died() } else if progress == .done { forgive() }
    }
    process = 0
    progress = .none
  }

  private mutating func died() {
    if mode == .safe {
      safeDeaths = safeDeaths.adding(saturating: 1)
    } else {
      deaths = deaths.adding(saturating: 1)
    }
  }

  /// The thread that initialized is out of the SDK.
  mutating func returned(_ process: Int32) {
    if self.process == process, progress == .calling { progress = .background }
  }

  /// The start is over, and the process lives.
  mutating func end(_ process: Int32) {
    guard self.process == process else { return }
    progress = .done
  }

  /// The start will not come to its end, and the process has not died in it.
  mutating func abandon(_ process: Int32) {
    guard self.process == process else { return }
    progress = .none
    self.process = 0
  }

  /// The last start was not the SDK's death. One in safe mode says nothing of what it left out.
  private mutating func forgive() {
    safeDeaths = 0
    guard mode != .safe else { return }
    deaths = 0
    pause = 0
  }
}

extension StartRecord {
  /// The bytes of `AMSTART2`.
  private static let magic: UInt64 = 0x3254_5241_5453_4D41
  private static let stageSize = 40
  private static let covered = 84

  /// Nil when the bytes are something else, or damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.covered + 4 else { return nil }
    func word(_ offset: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian }
    func long(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian }
    guard long(0) == Self.magic, word(Self.covered) == am_crc32c(0, bytes.baseAddress, Self.covered) else { return nil }
    build = long(8)
    deaths = word(16)
    safeDeaths = word(20)
    off = min(word(24), Self.longestPause)
    pause = min(word(28), Self.longestPause)
    process = Int32(bitPattern: word(32))
    progress = Progress(rawValue: word(36)) ?? .none
    mode = Mode(rawValue: word(40)) ?? .full
    stage = String(decoding: bytes[44..<44 + Self.stageSize].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// All but the verdict.
  var encoded: [UInt8] { encoded(size: Self.verdictOffset) }

  /// The whole file, without a verdict.
  var encodedWithoutVerdict: [UInt8] { encoded(size: Self.size) }

  private func encoded(size: Int) -> [UInt8] {
    var record = [UInt8](repeating: 0, count: size)
    record.withUnsafeMutableBytes { bytes in
      func store(_ value: UInt32, _ offset: Int) {
        bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
      }
      bytes.storeBytes(of: Self.magic.littleEndian, as: UInt64.self)
      bytes.storeBytes(of: build.littleEndian, toByteOffset: 8, as: UInt64.self)
      store(deaths, 16)
      store(safeDeaths, 20)
      store(off, 24)
      store(pause, 28)
      store(UInt32(bitPattern: process), 32)
      store(progress.rawValue, 36)
      store(mode.rawValue, 40)
      for (offset, byte) in stage.utf8.prefix(Self.stageSize - 1).enumerated() { bytes[44 + offset] = byte }
      store(am_crc32c(0, bytes.baseAddress, Self.covered), Self.covered)
    }
    return record
  }
}
