import AutoMobileRecorder
import CAutoMobile
import Foundation

/// Makes the report of a crash out of its lane: walks the stacks, names functions and images, and stays within bounds.
struct CrashReportBuilder {
  /// The most that a report may have of what can be many.
  struct Limits: Equatable {
    var threads = 64
    /// Of the thread that crashed, and of each other.
    var crashedFrames = 512
    var otherFrames = 128

    /// For a report that became too large.
    var halved: Limits {
      Limits(
        threads: max(8, threads / 2), crashedFrames: max(64, crashedFrames / 2), otherFrames: max(8, otherFrames / 2))
    }
  }

  /// How stacks are walked.
  enum Care {
    /// With call-frame information and symbol tables.
    case full
    /// By what the handler itself found: for a lane over which an earlier attempt died.
    case handlerOnly
  }

  /// In bytes, of the report's JSON.
  static let maximumSize = 600_000
  /// Threads after this are not walked any more, in milliseconds.
  static let maximumTime: Int64 = 4000

  let lane: CrashLane
  let reportId: String
  var care = Care.full
  var breadcrumbs: [Breadcrumb] = []
  /// The system's name.
  var os = SdkDeviceInfo.current.systemName

  func report() -> DiagnosticReport {
    var limits = Limits()
    while true {
      let report = report(limits)
      if limits == limits.halved || size(of: report) <= Self.maximumSize { return report }
      limits = limits.halved
    }
  }

  private func size(of report: DiagnosticReport) -> Int {
    (try? withJSONObject {
      report.encodeFields(into: &$0)
    } body: {
      $0.count
    }) ?? .max
  }

  private func report(_ limits: Limits) -> DiagnosticReport {
    var report = DiagnosticReport(reportId: reportId, kind: lane.exception == nil ? .signal : .exception)
    report.architecture = lane.architecture.rawValue
    report.os = os
    report.process = .init(name: lane.processName, pid: Int64(lane.process.pid))
    report.signal = lane.signal.map(DiagnosticReport.SignalInformation.init)
    report.exception = lane.exception.map { exception in
      .init(type: exception.typeName, reason: exception.reason)
    }
    report.notes = notes(limits)
    if !breadcrumbs.isEmpty { report.breadcrumbs = CrashBreadcrumbs.bounded(breadcrumbs) }

    let unwinder = StackUnwinder(images: ImageTable(lane.images))
    var stacks = ReportedStacks(unwinder, architecture: lane.architecture)
    var walked = CrashStacks(lane: lane, unwinder: unwinder, care: care).walk(limits)
    if care == .full {
      var frames = walked.map(\.stack.frames)
      SymbolNames(files: unwinder.files).name(&frames)
      for index in walked.indices { walked[index].stack.frames = frames[index] }
    } else {
      report.notes.append("an earlier attempt at this report failed: stacks are as the crash handler found them")
    }
    report.threads = walked.map { thread in
      DiagnosticReport.Thread(
        id: thread.id, name: thread.name, crashed: thread.isCrashed, main: thread.isMain,
        registers: thread.registers, frames: stacks.frames(thread.stack.frames), truncated: thread.stack.isTruncated)
    }
    report.images = stacks.images
    return report
  }

  private func notes(_ limits: Limits) -> [String] {
    var notes = lane.notes
    if let message = lane.message, !message.isEmpty { notes.append("the C library reported: \(message)") }
    if let mach = lane.mach { notes.append("Mach exception \(mach.exception), codes \(mach.codes.0), \(mach.codes.1)") }
    if lane.stage == .entered { notes.append("the crash handler stopped before it had written a thread") }
    if lane.stage == .crashedThread { notes.append("the crash handler stopped before it had written all threads") }
    if lane.threads.count > limits.threads {
      notes.append("\(lane.threads.count - limits.threads) more threads were left out")
    }
    for thread in lane.threads where thread.has(Int(AM_THREAD_ALSO_CRASHED)) {
      notes.append("thread \(thread.id) crashed as well, while the report was written")
    }
    let silent = lane.threads.filter { $0.has(Int(AM_THREAD_SILENT)) }.count
    if silent > 0 { notes.append("\(silent) threads did not respond: little is known about them") }
    return notes.prefix(64).map { String($0.prefix(1000)) }
  }
}

extension DiagnosticReport.SignalInformation {
  fileprivate init(_ signal: am_lane_signal) {
    let isSent = SignalNames.isSent(signal.code)
    self.init(
      number: Int(signal.number), name: SignalNames.name(signal.number), code: Int(signal.code),
      codeName: SignalNames.codeName(signal.number, signal.code), address: isSent ? nil : CodeAddress(signal.address))
  }
}

extension CrashLane.Exception {
  var typeName: String {
    language == UInt32(AM_EXCEPTION_CPP) ? CppTypeName.plain(type) : type
  }
}
