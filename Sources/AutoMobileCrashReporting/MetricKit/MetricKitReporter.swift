import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Records what MetricKit tells and nobody has told yet.
///
/// Everything happens on a queue of its own. What is known is kept in a file beside the journal; an event is recorded
/// before the file says so: a process that is killed between the two tells it again.
package final class MetricKitReporter: Sendable {
  /// The file, beside the journal's.
  package static let fileName = "metrickit-reports.json"
  /// How many records of a launch are searched for reports of ours.
  private static let searched = 20_000

  private let journal: Journal
  private let file: URL
  private let bundleId: String?
  private let appVersion: String?
  private let device: SdkDeviceInfo
  private let buffer: SdkEventBuffer
  /// When everything was last erased, in milliseconds since 1970: what may have been before that is not told.
  private let erasedAt: @Sendable () -> Int64
  private let queue = BackgroundQueue.make("metrickit")

  init(
    journal: Journal, directory: URL, bundleId: String?, appVersion: String?, device: SdkDeviceInfo,
    buffer: SdkEventBuffer, erasedAt: @escaping @Sendable () -> Int64 = { 0 }
  ) {
    self.erasedAt = erasedAt
    self.journal = journal
    file = directory.appendingPathComponent(Self.fileName, isDirectory: false)
    self.bundleId = bundleId
    self.appVersion = appVersion
    self.device = device
    self.buffer = buffer
  }

  /// Remembers what the launches told of themselves, before it is delivered and gone. Reads the disk.
  func remember(_ launches: [LaunchID]) {
    queue.sync {
      var known = load()
      let before = known
      for launch in launches { known.add(own(of: launch)) }
      known.noteLaunch(pid: Int(getpid()), at: Clocks.millisecondsSince1970())
      if known != before { save(known) }
    }
  }

  /// This launch records, or does again. Returns at once; reads and writes the disk later.
  func goOn() {
    queue.async { [self] in
      var known = load()
      let before = known
      known.noteLaunch(pid: Int(getpid()), at: Clocks.millisecondsSince1970())
      if known != before { save(known) }
    }
  }

  /// It records no more: what the system says of its end is not told. Returns at once; reads and writes the disk later.
  func rest() {
    queue.async { [self] in
      var known = load()
      let before = known
      known.forgetLaunch(pid: Int(getpid()))
      // Nothing new is kept meanwhile, but that something is not.
      if known != before { write(known) }
    }
  }

  /// Takes payloads as `MXDiagnosticPayload.jsonRepresentation()` gives them. Returns at once.
  func receive(_ payloads: [Data], completion: @escaping @Sendable () -> Void = {}) {
    queue.async { [self] in
      var known = load()
      known.add(own(of: journal.launch))
      for payload in payloads {
        let diagnostics = try? MetricKitPayload.diagnostics(in: payload, now: Clocks.millisecondsSince1970())
        // What cannot be read is an event that nobody will see.
        guard let diagnostics else { journal.countLoss(.rejected); continue }
        for diagnostic in diagnostics where known.take(diagnostic) && !isSilent(diagnostic, known) {
          record(diagnostic)
        }
      }
      save(known)
      completion()
    }
  }

  /// Forgets what is known; what comes later is kept anew, if anything may be. Reads and writes the disk.
  func erase() { queue.sync { try? FileManager.default.removeItem(at: file) } }

  private func isSilent(_ diagnostic: MetricKitDiagnostic, _ known: KnownReports) -> Bool {
    known.isOfSilentTime(diagnostic, erasedAt: erasedAt()) || known.isOfSilentLaunch(diagnostic)
  }

  private func own(of launch: LaunchID) -> [KnownReports.Own] {
    journal.lastRecords(of: [.event], limit: Self.searched, launch: launch)
      .compactMap { KnownReports.Own($0.payload, appVersion: appVersion) }
  }

  // MARK: Events

  private func record(_ diagnostic: MetricKitDiagnostic) {
    let report = diagnostic.report
    switch diagnostic.kind {
    case .crash:
      buffer.record(
        SdkCrashEvent(
          timestamp: diagnostic.end, errorDomain: diagnostic.type ?? "unknown", errorMessage: diagnostic.reason,
          stackTrace: report.stackTrace, currentScreen: nil, bundleId: bundleId ?? "",
          appVersion: diagnostic.appVersion, deviceInfo: deviceInfo(of: diagnostic), report: report))
    case .hang:
      buffer.record(
        SdkHangEvent(
          timestamp: diagnostic.end, durationMs: diagnostic.durationMs ?? 0, stackTrace: report.stackTrace,
          bundleId: bundleId ?? "", report: report))
    case .cpu, .diskWrites:
      buffer.record(
        SdkCustomEvent(
          timestamp: diagnostic.end, name: "metrickit_\(diagnostic.kind.rawValue)", properties: properties(diagnostic)))
    }
  }

  private func properties(_ diagnostic: MetricKitDiagnostic) -> [String: MetadataValue] {
    var properties: [String: MetadataValue] = ["stackTrace": .string(diagnostic.report.stackTrace)]
    properties["cpuMs"] = diagnostic.durationMs.map { .double($0) }
    properties["sampledMs"] = diagnostic.sampledMs.map { .double($0) }
    properties["bytesWritten"] = diagnostic.bytes.map { .double($0) }
    properties["appVersion"] = diagnostic.appVersion.map { .string($0) }
    properties["osVersion"] = diagnostic.osVersion.map { .string($0) }
    properties["reportId"] = .string(diagnostic.report.reportId)
    return properties
  }

  private func deviceInfo(of diagnostic: MetricKitDiagnostic) -> SdkDeviceInfo {
    SdkDeviceInfo(
      model: diagnostic.deviceType ?? device.model, manufacturer: device.manufacturer,
      osVersion: diagnostic.osVersion ?? device.osVersion, systemName: device.systemName)
  }

  // MARK: The file

  private func load() -> KnownReports {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(KnownReports.self, from: $0) } ?? KnownReports()
  }

  private func save(_ known: KnownReports) {
    // What was under way when the user said no leaves nothing behind.
    if buffer.isRecording { write(known) }
  }

  private func write(_ known: KnownReports) {
    guard let data = try? JSONEncoder().encode(known) else { return }
    try? data.writeProtected(to: file)
  }
}
