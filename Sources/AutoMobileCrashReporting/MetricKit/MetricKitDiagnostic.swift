import AutoMobileRecorder

/// One of the diagnostics in a payload of MetricKit's, in our form.
struct MetricKitDiagnostic: Sendable, Equatable {
  enum Kind: String, Codable, Sendable, CaseIterable {
    case crash, hang
    /// The app used so much of the processor that the system took note.
    case cpu
    /// It wrote so much to the disk.
    case diskWrites = "disk_writes"
  }

  var kind: Kind
  /// Within which time it happened, in milliseconds since 1970.
  var begin: Int64
  var end: Int64
  var appVersion: String?
  var osVersion: String?
  var deviceType: String?
  /// The number of the signal that ended the process; nil when the system does not say.
  var signal: Int?
  var pid: Int?
  /// Of a crash: what kind of exception, and why, in words.
  var type: String?
  var reason: String?
  /// Of a hang, or of the processor's time, in milliseconds.
  var durationMs: Double?
  /// Of the time in which the processor's was used, in milliseconds.
  var sampledMs: Double?
  /// Written to the disk, in bytes.
  var bytes: Double?
  var report: DiagnosticReport
}
