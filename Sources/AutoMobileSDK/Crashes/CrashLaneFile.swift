import AutoMobileJournal
import CAutoMobile
import Foundation

/// The crash lane of a launch, as a file in the journal's directory.
enum CrashLaneFile {
  static let suffix = ".crash"

  static func url(of launch: LaunchID, in directory: URL) -> URL {
    directory.appendingPathComponent(launch.description + suffix)
  }

  /// Makes the lane of this process's launch, which the crash handler writes from now on.
  ///
  /// - Returns: 0, or why it could not be made.
  static func open(launch: LaunchID, in directory: URL) -> Int32 {
    let process = ProcessIdentity.current
    // Without Foundation's way to the name, which reads more than it needs: this runs while the app starts.
    let name = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last }.map(String.init) ?? ""
    return name.withCString { name in
      var identity = am_crash_identity()
      withUnsafeMutableBytes(of: &identity.launch) { $0.copyBytes(from: launch.bytes) }
      withUnsafeMutableBytes(of: &identity.boot) { bytes in
        withUnsafeBytes(of: process.boot.uuid) { bytes.copyMemory(from: $0) }
      }
      identity.pid = Int64(process.pid)
      identity.process_start = process.start
      identity.created = Clocks.millisecondsSince1970()
      identity.process = name
      return am_crash_lane_open(directory.path + "/" + launch.description + suffix, &identity)
    }
  }
}

extension LaunchID {
  /// The sixteen bytes.
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}
