import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Reads the JSON of an `MXDiagnosticPayload`, as `jsonRepresentation()` gives it.
///
/// Whatever is missing or of another type is left out; only what is no JSON at all is an error.
enum MetricKitPayload {
  /// Of each kind; a payload of a day rarely has ten.
  static let maximumDiagnostics = 100

  private static let lists: [(StaticString, MetricKitDiagnostic.Kind)] = [
    ("crashDiagnostics", .crash), ("hangDiagnostics", .hang), ("cpuExceptionDiagnostics", .cpu),
    ("diskWriteExceptionDiagnostics", .diskWrites),
  ]

  /// - Parameter now: for payloads that do not say when they were made, in milliseconds since 1970.
  static func diagnostics(in data: Data, now: Int64) throws(FlatJSON.Malformed) -> [MetricKitDiagnostic] {
    let root = try FlatJSON(data).root
    let end = root["timeStampEnd"].flatMap { MetricKitUnits.milliseconds(date: $0.string) } ?? now
    let begin = root["timeStampBegin"].flatMap { MetricKitUnits.milliseconds(date: $0.string) } ?? end
    return lists.flatMap { name, kind in
      (root[name].map { Array($0.children.prefix(maximumDiagnostics)) } ?? []).map { value in
        diagnostic(value, kind, begin: min(begin, end), end: max(begin, end))
      }
    }
  }

  private static func diagnostic(
    _ value: FlatJSON.Value, _ kind: MetricKitDiagnostic.Kind, begin: Int64, end: Int64
  ) -> MetricKitDiagnostic {
    let facts = value["diagnosticMetaData"]
    func text(_ name: StaticString) -> String? { facts?[name]?.string.map { String($0.prefix(2000)) } }
    var report = DiagnosticReport(reportId: "", kind: .metrickit)
    report.architecture = text("platformArchitecture")
    report.os = text("osVersion").map(MetricKitUnits.systemName)
    if let tree = value["callStackTree"] { MetricKitCallStacks.read(tree, into: &report, isSampled: kind != .crash) }

    var diagnostic = MetricKitDiagnostic(kind: kind, begin: begin, end: end, report: report)
    diagnostic.appVersion = text("appVersion") ?? text("appBuildVersion")
    diagnostic.osVersion = text("osVersion")
    diagnostic.deviceType = text("deviceType")
    diagnostic.pid = facts?["pid"]?.integer
    switch kind {
    case .crash: readCrash(facts, into: &diagnostic)
    case .hang: diagnostic.durationMs = MetricKitUnits.milliseconds(duration: text("hangDuration"))
    case .cpu:
      diagnostic.durationMs = MetricKitUnits.milliseconds(duration: text("totalCPUTime"))
      diagnostic.sampledMs = MetricKitUnits.milliseconds(duration: text("totalSampledTime"))
    case .diskWrites: diagnostic.bytes = MetricKitUnits.bytes(text("writesCaused"))
    }
    if kind == .hang { diagnostic.report.durationMs = diagnostic.durationMs }
    diagnostic.report.reportId = diagnostic.identity
    return diagnostic
  }

  private static func readCrash(_ facts: FlatJSON.Value?, into diagnostic: inout MetricKitDiagnostic) {
    func text(_ value: FlatJSON.Value?) -> String? { value?.string.map { String($0.prefix(2000)) } }
    let signal = facts?["signal"]?.integer
    let machException = facts?["exceptionType"]?.integer
    diagnostic.signal = signal
    if let signal {
      diagnostic.report.signal = .init(
        number: signal, name: DarwinNames.signal(signal), code: facts?["exceptionCode"]?.integer ?? 0)
    }
    let objectiveC = facts?["objectiveCexceptionReason"] ?? facts?["exceptionReason"]
    let termination = text(facts?["terminationReason"])
    if let objectiveC {
      diagnostic.type = text(objectiveC["exceptionName"]) ?? text(objectiveC["className"])
      diagnostic.reason = text(objectiveC["composedMessage"]) ?? text(objectiveC["formatString"])
      diagnostic.report.exception = .init(type: diagnostic.type ?? "NSException", reason: diagnostic.reason)
    }
    diagnostic.type =
      diagnostic.type ?? signal.map(DarwinNames.signal) ?? machException.map(DarwinNames.exception) ?? "unknown"
    diagnostic.reason = diagnostic.reason ?? termination ?? text(facts?["virtualMemoryRegionInfo"])
    if let machException { diagnostic.report.notes.append("Mach exception: \(DarwinNames.exception(machException))") }
    for note in [termination, text(facts?["virtualMemoryRegionInfo"])] {
      if let note { diagnostic.report.notes.append(note) }
    }
  }
}

extension MetricKitDiagnostic {
  /// The same for the same diagnostic, however often the system hands it out.
  var identity: String {
    var hash = FNV1a()
    func add(_ text: String?) {
      (text ?? "").utf8.forEach { hash.add($0) }
      hash.add(0xFF)
    }
    for text in [kind.rawValue, "\(begin)", "\(end)", appVersion, osVersion, type, reason] { add(text) }
    for number in [durationMs, sampledMs, bytes] { add(number.map { "\($0)" }) }
    for value in [signal, pid] { add(value.map { "\($0)" }) }
    for frame in report.principalThread?.frames ?? [] { add(frame.address.description) }
    for frame in report.samples?.first?.frames ?? [] { add(frame.address.description) }
    return "metrickit-" + HexDigits.digits(hash.value)
  }
}
