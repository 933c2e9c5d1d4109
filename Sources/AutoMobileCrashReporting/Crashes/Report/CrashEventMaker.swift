import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Makes the one event of a crash: what happened in words, the report, and what held in the launch that crashed.
struct CrashEventMaker {
  /// A launch as its journal tells it.
  struct CrashedLaunch {
    var id: LaunchID
    /// The payload of its last context record.
    var context: [UInt8]?
    var breadcrumbs: [Breadcrumb] = []
    /// The last that was navigated to.
    var screen: String?
  }

  let launch: CrashedLaunch
  /// Used for what the launch itself does not tell.
  let bundleId: String?
  /// Of the file, in milliseconds since 1970: when it crashed, if the lane does not say.
  let modified: Int64

  func event(_ lane: CrashLane, care: CrashReportBuilder.Care) -> SdkCrashEvent {
    let report = CrashReportBuilder(
      lane: lane, reportId: launch.id.description, care: care, breadcrumbs: launch.breadcrumbs
    ).report()
    let context = launch.context.flatMap { CrashedContext($0) }
    return SdkCrashEvent(
      timestamp: lane.time ?? modified, errorDomain: domain(report), errorMessage: message(report, lane),
      stackTrace: report.stackTrace, currentScreen: screen(lane), bundleId: context?.bundleId ?? bundleId ?? "",
      appVersion: context?.appVersion, deviceInfo: context?.device ?? .current, report: report)
  }

  private func domain(_ report: DiagnosticReport) -> String {
    if let type = report.exception?.type, !type.isEmpty { return type }
    return report.signal?.name ?? "crash"
  }

  private func message(_ report: DiagnosticReport, _ lane: CrashLane) -> String? {
    if let reason = report.exception?.reason, !reason.isEmpty { return reason }
    if let message = lane.message, !message.isEmpty { return message }
    guard let signal = report.signal else { return nil }
    guard let address = signal.address else {
      if let sender = lane.signal?.sender, sender > 0, sender != Int64(lane.process.pid) {
        return "sent by process \(sender)"
      }
      return signal.codeName
    }
    return "\(signal.codeName ?? "code \(signal.code)") at \(address)"
  }

  private func screen(_ lane: CrashLane) -> String? {
    if let screen = lane.screen, !screen.isEmpty { return screen }
    return launch.screen
  }
}

/// The payload of a context record, as far as crashes need it.
struct CrashedContext: Decodable {
  var sessionId: String?
  var appVersion: String?
  var bundleId: String?
  var device: SdkDeviceInfo?

  init?(_ payload: [UInt8]) {
    guard let context = try? JSONDecoder().decode(Self.self, from: Data(payload)) else { return nil }
    self = context
  }

  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    sessionId = members.value("sessionId")
    appVersion = members.value("appVersion")
    bundleId = members.value("bundleId")
    device = members.value("device")
    try members.end()
  }
}
