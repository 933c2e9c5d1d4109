import AutoMobileJournal
import CAutoMobile
import Foundation

/// What a crash handler left in its lane, taken apart. See the article "Crash lane".
///
/// The bytes are those of a process that was dying: every length is checked, and what makes no sense is left out and
/// noted.
package struct CrashLane: Sendable {
  /// How far the handler came.
  enum Stage: UInt32, Sendable, Comparable {
    case idle = 0
    case entered, crashedThread, allThreads, complete
    /// The process went on: no crash.
    case survived

    static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
  }

  struct Exception: Sendable {
    var language: UInt32
    var thread: UInt64
    var time: Int64
    /// Return addresses of where it was thrown, the innermost first.
    var addresses: [UInt64]
    var type: String
    var reason: String?
  }

  struct Thread: Sendable {
    var id: UInt64
    var flags: UInt32
    var name: String
    var registers: RegisterFile
    /// The processor's flags.
    var status: UInt64?
    /// Found by frame pointers, without the program counter.
    var frames: [UInt64]
    var stack: StackWindow

    func has(_ flag: Int) -> Bool { flags & UInt32(truncatingIfNeeded: flag) != 0 }
  }

  var launch: LaunchID?
  var process: ProcessIdentity
  var processName: String
  var architecture: Architecture
  /// When the lane was made, in milliseconds since 1970.
  var created: Int64
  var stage: Stage
  var screen: String?
  var images: [Image]
  var signal: am_lane_signal?
  var exception: Exception?
  /// What the C library said when it ended the process.
  var message: String?
  var mach: am_lane_mach?
  /// The one that crashed comes first.
  var threads: [Thread] = []
  var notes: [String] = []

  /// Something crashed.
  package var isReport: Bool { (.entered ... .complete).contains(stage) }

  /// When it crashed, in milliseconds since 1970.
  var time: Int64? {
    let time = signal?.time ?? exception?.time ?? 0
    return time > 0 ? time : nil
  }

  /// - Throws: ``CrashLaneError`` when the bytes are not those of a lane.
  init(_ bytes: [UInt8]) throws(CrashLaneError) {
    guard bytes.count >= MemoryLayout<am_lane_header>.size else { throw .tooShort(bytes.count) }
    guard bytes.starts(with: "AMCRASH1".utf8) else { throw .notALane }
    let header = bytes.withUnsafeBytes { $0.loadUnaligned(as: am_lane_header.self) }
    switch header.architecture {
    case UInt32(AM_ARCHITECTURE_X86_64): architecture = .x86_64
    case UInt32(AM_ARCHITECTURE_ARM64): architecture = .arm64
    default: throw .unknownArchitecture(header.architecture)
    }
    let covered = MemoryLayout<am_lane_header>.offset(of: \.checksum) ?? 0
    if bytes.withUnsafeBytes({ am_crc32c(0, $0.baseAddress, covered) }) == header.checksum {
      launch = LaunchID(uuid: UUID(uuid: withUnsafeBytes(of: header.launch) { $0.loadUnaligned(as: uuid_t.self) }))
    } else {
      notes.append("the report's header is damaged: its checksum is wrong")
    }
    process = ProcessIdentity(
      pid: Int32(truncatingIfNeeded: header.pid), since: header.process_since,
      boot: UUID(uuid: withUnsafeBytes(of: header.boot) { $0.loadUnaligned(as: uuid_t.self) }))
    processName = Self.text(header.process)
    created = header.created
    if let known = Stage(rawValue: header.stage) {
      stage = known
    } else {
      stage = .entered
      notes.append("the report's stage is damaged: \(header.stage)")
    }
    switch header.screen {
    case 1: screen = Self.text(header.screens.0)
    case 2: screen = Self.text(header.screens.1)
    default: screen = nil
    }
    images = CrashLaneImages.read(bytes, published: header.image_end)
    if header.images_lost > 0 { notes.append("\(header.images_lost) images did not fit in the report's list") }
    readSections(bytes, published: header.report_end)
  }

  /// A C string that lies in a tuple.
  static func text(_ characters: some Any) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Why a file is no crash lane.
enum CrashLaneError: Error, Equatable, CustomStringConvertible {
  case tooShort(Int)
  case notALane
  case unknownArchitecture(UInt32)

  var description: String {
    switch self {
    case .tooShort(let size): "the crash lane has only \(size) bytes"
    case .notALane: "the file is not a crash lane"
    case .unknownArchitecture(let number): "the crash lane names an unknown architecture: \(number)"
    }
  }
}
