import AutoMobileRecorder
import CAutoMobile

extension LeftFile {
  /// Lanes of crash handlers. Those in which there is no report are of launches that go on.
  static let crashLanes = LeftFile { file, erasure in
    guard let lane = CrashLaneName(file.lastPathComponent) else { return nil }
    if erasure.theirs.contains(lane.launch) { return .keep }
    let directory = CrashLaneDirectory(url: file.deletingLastPathComponent())
    return erasure.isForGood || isReport(lane, in: directory) ? .remove : .keep
  }

  /// What could not be read, and what the system's diagnostics were last.
  static let crashReportingFiles = LeftFile { file, _ in
    [MetricKitReporter.fileName, CrashLaneDirectory.damagedName].contains(file.lastPathComponent) ? .remove : nil
  }

  private static func isReport(_ name: CrashLaneName, in directory: CrashLaneDirectory) -> Bool {
    guard let read = directory.read(name, limit: Int(AM_LANE_IMAGES)) else { return false }
    return (try? CrashLane(read.bytes))?.isReport ?? read.bytes.contains { $0 != 0 }
  }
}
