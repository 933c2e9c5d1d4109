/// What an index holds of a crash, a hang or a failure.
struct ReportFields {
  /// With its frames marked.
  let report: EventReport
  let fingerprint: Fingerprint
  let bundleId: String?
  let version: String?

  /// - Parameters:
  ///   - bundles: what says whose it is where the report itself does not, the nearest first.
  /// - Returns: nil when there is nothing to report of it.
  init?(
    _ payload: UnsafeRawBufferPointer, type: String, context: (bundleId: String?, version: String?)?,
    bundleId: String?, owner: IndexCaches.Owner
  ) {
    guard EventReport.Kind(eventType: type) != nil, var report = try? EventReport(payload: payload, type: type) else {
      return nil
    }
    FrameRules.mark(&report.report)
    self.report = report
    self.bundleId = owner.countedBundle(report.bundleId, context?.bundleId, bundleId)
    version = report.appVersion ?? context?.version
    fingerprint = Fingerprint(report, bundleId: self.bundleId)
  }

  /// Of a hang, in milliseconds.
  var duration: Double? { report.kind == .hang ? report.report.durationMs : nil }
  var screen: String? { report.screen.map { String($0.prefix(200)) } }
  var culprit: String? { Self.name(of: fingerprint.culprit) }
  var message: String? { IssueText.message(of: report) }
  var template: String? { MessageTemplate.make(report.said) }
  /// Builds whose symbols could say more; the first stands for all reports.
  var images: [String] { [""] + fingerprint.images.map(\.text) }

  static func name(of culprit: CrashReport.Frame?) -> String? {
    culprit.map { $0.function ?? $0.symbol ?? "" }.flatMap { $0.isEmpty ? nil : String($0.prefix(300)) }
  }

  // MARK: Text

  /// Of the innermost functions; and of all their names together, in characters.
  private static let frames = 64
  static let longestText = 4000

  /// Of its innermost functions, each once.
  static func functions(_ report: EventReport) -> [String] {
    var names: [String] = []
    for frame in report.report.principalFrames.prefix(frames) {
      // One a line.
      guard
        let name = (frame.function ?? frame.symbol)?.split(whereSeparator: \.isNewline).joined(separator: " "),
        !name.isEmpty, !names.contains(name)
      else { continue }
      names.append(name)
    }
    return names
  }
}
