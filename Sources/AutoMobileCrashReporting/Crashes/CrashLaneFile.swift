import AutoMobileJournal
import AutoMobileRecorder
import CAutoMobile
import Foundation

/// The crash lane of a launch, as a file in the journal's directory.
enum CrashLaneFile {
  static let suffix = ".crash"

  static func url(of launch: LaunchID, in directory: URL) -> URL {
    directory.appendingPathComponent(launch.description + suffix)
  }

  /// Says what the lane of this process's launch will be. The file is made by ``open()``, or by the crash handler when it is
  /// needed before.
  ///
  /// - Returns: 0, or why there will be none.
  static func plan(launch: LaunchID, in directory: URL) -> Int32 {
    let process = ProcessIdentity.current
    // Without Foundation's way to the name, which reads more than it needs: this runs while the app starts.
    let program = CommandLine.arguments.first ?? ""
    let name = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { program[program.utf8.index(after: $0)...] }
    return String(name ?? program[...]).withCString { name in
      var identity = am_crash_identity()
      withUnsafeMutableBytes(of: &identity.launch) { $0.copyBytes(from: launch.bytes) }
      withUnsafeMutableBytes(of: &identity.boot) { bytes in
        withUnsafeBytes(of: process.boot.uuid) { bytes.copyMemory(from: $0) }
      }
      identity.pid = Int64(process.pid)
      identity.process_since = process.since
      identity.created = Clocks.millisecondsSince1970()
      identity.process = name
      return am_crash_lane_plan(directory.path + "/" + launch.description + suffix, &identity)
    }
  }

  /// Makes the file. Touches the disk.
  ///
  /// - Returns: 0, or why it could not be made.
  static func open() -> Int32 { am_crash_lane_open() }
}

extension LaunchID {
  /// The sixteen bytes.
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}
