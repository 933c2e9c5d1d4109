import Foundation

/// What a report says once symbols have been asked, as far as its issue is made of it.
struct RefinedReport: Sendable {
  let report: EventReport
  /// Builds that need not be asked again; the empty one stands for all reports that nobody has looked at.
  let done: [String]

  /// Waits for the symbolizer, so it is for a thread of the collector's own.
  ///
  /// - Returns: nil when there is no report in it.
  /// - Throws: ``BlobError`` when symbols cannot be read now.
  init?(_ payload: Data, type: String, _ symbolizer: Symbolizer) throws {
    guard var report = payload.withUnsafeBytes({ try? EventReport(payload: $0, type: type) }) else { return nil }
    // The stack that the issue is made of is enough.
    var thread = CrashReport.Thread(isCrashed: true)
    thread.frames = Array(report.report.principalFrames.prefix(256))
    report.report.threads = [thread]
    report.report.samples = []
    report.report = try symbolizer.symbolicateNow(report.report)
    self.report = report
    let builds = symbolizer.tools.symbolizer != nil ? report.report.images.compactMap(\.id) : []
    done = [""] + builds.filter { symbolizer.store.entry($0) != nil }.map(\.text)
  }
}
