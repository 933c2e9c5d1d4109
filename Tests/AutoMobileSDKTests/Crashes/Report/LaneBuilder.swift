import AutoMobileJournal
import CAutoMobile
import Foundation

@testable import AutoMobileCrashReporting

/// Writes a crash lane as a crash handler does.
struct LaneBuilder {
  var launch: LaunchID
  var stage: UInt32 = UInt32(AM_LANE_COMPLETE)
  var screen: String?
  var pid: Int64 = 4_000_000
  var images: [(base: UInt64, size: UInt64, path: String)] = []
  private var report: [UInt8] = []

  init(_ launch: LaunchID) { self.launch = launch }

  mutating func signal(_ number: Int32, code: Int32 = 1, address: UInt64 = 0, time: Int64 = 1_700_000_000_000) {
    var signal = am_lane_signal()
    signal.number = number
    signal.code = code
    signal.address = address
    signal.time = time
    section(Int(AM_SECTION_SIGNAL), withUnsafeBytes(of: signal) { Array($0) })
  }

  mutating func exception(_ type: String, reason: String, addresses: [UInt64] = [], thread: UInt64 = 1) {
    var exception = am_lane_exception()
    exception.language = UInt32(AM_EXCEPTION_CPP)
    exception.type_length = UInt32(type.utf8.count)
    exception.thread = thread
    exception.time = 1_700_000_000_000
    exception.address_count = UInt32(addresses.count)
    var bytes = withUnsafeBytes(of: exception) { Array($0) }
    for address in addresses { bytes += withUnsafeBytes(of: address) { Array($0) } }
    section(Int(AM_SECTION_EXCEPTION), bytes + Array(type.utf8))
    section(Int(AM_SECTION_REASON), Array(reason.utf8))
  }

  mutating func thread(
    _ id: UInt64, name: String = "", flags: Int = 0, registers: [UInt64], frames: [UInt64] = [],
    stackStart: UInt64 = 0, stack: [UInt8] = []
  ) {
    var thread = am_lane_thread()
    thread.id = id
    thread.flags = UInt32(flags)
    thread.frame_count = UInt32(frames.count)
    thread.stack_start = stackStart
    thread.stack_length = UInt32(stack.count)
    withUnsafeMutableBytes(of: &thread.name) { $0.copyBytes(from: name.utf8.prefix(63)) }
    thread.registers.known = (1 << UInt64(registers.count)) - 1
    withUnsafeMutableBytes(of: &thread.registers.values) { target in
      registers.withUnsafeBytes { target.copyMemory(from: $0) }
    }
    var bytes = withUnsafeBytes(of: thread) { Array($0) }
    for frame in frames { bytes += withUnsafeBytes(of: frame) { Array($0) } }
    section(Int(AM_SECTION_THREAD), bytes + stack)
  }

  mutating func text(_ tag: Int, _ text: String) { section(tag, Array(text.utf8)) }

  mutating func section(_ tag: Int, _ payload: [UInt8]) {
    report += withUnsafeBytes(of: UInt32(tag)) { Array($0) } + withUnsafeBytes(of: UInt32(payload.count)) { Array($0) }
    report += payload + [UInt8](repeating: 0, count: (8 - payload.count % 8) % 8)
  }

  /// The file's bytes.
  func bytes() -> [UInt8] {
    var imageArea: [UInt8] = []
    for image in images {
      var head = am_lane_image()
      head.state = UInt32(AM_IMAGE_LOADED)
      head.base = image.base
      head.size = image.size
      head.path_length = UInt16(image.path.utf8.count)
      let padding = (8 - image.path.utf8.count % 8) % 8
      head.length = UInt32(MemoryLayout<am_lane_image>.size + image.path.utf8.count + padding)
      imageArea += withUnsafeBytes(of: head) { Array($0) } + Array(image.path.utf8)
      imageArea += [UInt8](repeating: 0, count: padding)
    }
    var header = am_lane_header()
    withUnsafeMutableBytes(of: &header) { $0.copyBytes(from: "AMCRASH1".utf8) }
    withUnsafeMutableBytes(of: &header.launch) { target in
      withUnsafeBytes(of: launch.uuid.uuid) { target.copyMemory(from: $0) }
    }
    header.pid = pid
    header.created = 1_699_999_999_000
    #if arch(x86_64)
    header.architecture = UInt32(AM_ARCHITECTURE_X86_64)
    #else
    header.architecture = UInt32(AM_ARCHITECTURE_ARM64)
    #endif
    header.size = UInt32(AM_LANE_SIZE)
    header.checksum = withUnsafeBytes(of: header) { am_crc32c(0, $0.baseAddress, 84) }
    withUnsafeMutableBytes(of: &header.process) { $0.copyBytes(from: "builder".utf8) }
    header.stage = stage
    header.report_end = UInt64(report.count)
    header.image_end = UInt64(imageArea.count)
    if let screen {
      header.screen = 1
      withUnsafeMutableBytes(of: &header.screens.0) { $0.copyBytes(from: screen.utf8.prefix(255)) }
    }
    var bytes = withUnsafeBytes(of: header) { Array($0) }
    bytes += [UInt8](repeating: 0, count: Int(AM_LANE_IMAGES) - bytes.count) + imageArea
    bytes += [UInt8](repeating: 0, count: Int(AM_LANE_REPORT) - bytes.count) + report
    return bytes + [UInt8](repeating: 0, count: max(0, Int(AM_LANE_SIZE) - bytes.count))
  }

  func write(in directory: URL, claimer: LaunchID? = nil) throws {
    let name = CrashLaneName(launch: launch, claimer: claimer).text
    try Data(bytes()).write(to: directory.appendingPathComponent(name))
  }

  /// A crash with everything in it.
  static func crash(of launch: LaunchID) -> LaneBuilder {
    var lane = LaneBuilder(launch)
    lane.images = [(0x10_0000, 0x2_0000, "/nowhere/app"), (0x20_0000, 0x1_0000, "/nowhere/lib.so")]
    lane.signal(SIGSEGV, address: 0x18)
    lane.thread(
      77, name: "main", flags: Int(AM_THREAD_CRASHED | AM_THREAD_MAIN),
      registers: (0..<18).map { $0 == 16 ? 0x10_0123 : UInt64($0) }, frames: [0x10_0456, 0x20_0789])
    lane.thread(78, name: "worker", registers: (0..<18).map { $0 == 16 ? 0x20_0001 : 0 }, frames: [0x10_0456])
    lane.text(Int(AM_SECTION_NOTE), "a note of the handler's")
    return lane
  }
}
