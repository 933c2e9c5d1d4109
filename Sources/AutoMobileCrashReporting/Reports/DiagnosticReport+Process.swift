import AutoMobileRecorder
import Foundation

extension DiagnosticReport {
  /// A report on this process.
  static func ofThisProcess(id: String, kind: Kind) -> DiagnosticReport {
    var report = DiagnosticReport(reportId: id, kind: kind)
    report.architecture = Architecture.current.rawValue
    report.os = SdkDeviceInfo.current.systemName
    report.process = thisProcess
    return report
  }

  private static let thisProcess = ProcessInformation(name: ProcessInfo.processInfo.processName, pid: Int64(getpid()))
}
