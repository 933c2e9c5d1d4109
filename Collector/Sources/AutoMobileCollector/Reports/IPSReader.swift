import Foundation

/// Reads Apple's `.ips` crash reports, so that they can be symbolicated as well.
package enum IPSReader {
  private struct Header: Decodable {
    var timestamp: String?
    var app_version: String?
    var bundleID: String?
  }

  private struct Body: Decodable {
    struct Exception: Decodable {
      var type: String?
      var signal: String?
      var subtype: String?
    }
    struct Reason: Decodable {
      var type: String?
      var name: String?
      var composed_message: String?
    }
    struct Frame: Decodable {
      var imageIndex: Int?
      var imageOffset: Int64?
      var symbol: String?
      var symbolLocation: Int64?
      var inline: Bool?
    }
    struct Thread: Decodable {
      var id: Int64?
      var name: String?
      var queue: String?
      var triggered: Bool?
      var frames: [Frame]?
    }
    struct Image: Decodable {
      var name: String?
      var path: String?
      var uuid: String?
      var base: UInt64?
      var size: UInt64?
      var arch: String?
    }
    struct System: Decodable { var train: String? }

    var incident: String?
    var procName: String?
    var pid: Int64?
    var cpuType: String?
    var modelCode: String?
    var osVersion: System?
    var exception: Exception?
    var exceptionReason: Reason?
    var threads: [Thread]?
    var lastExceptionBacktrace: [Frame]?
    var usedImages: [Image]?
  }

  /// Whether a file may be one: it has two parts, and the first is a line with the kind of report.
  package static func looksLikeIPS(_ data: Data) -> Bool {
    guard let end = data.firstIndex(of: UInt8(ascii: "\n")), end > data.startIndex else { return false }
    return data.first == UInt8(ascii: "{") && data[..<end].range(of: Data("\"bug_type\"".utf8)) != nil
  }

  /// - Throws: what decoding JSON throws.
  package static func read(_ data: Data) throws -> (event: EventReport, context: ReportContext) {
    let end = data.firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
    let header = try? JSONDecoder().decode(Header.self, from: data[..<end])
    let body = try JSONDecoder().decode(Body.self, from: data[end...])
    var event = EventReport(kind: .crash)
    event.timestamp = header?.timestamp.flatMap(milliseconds) ?? 0
    event.bundleId = header?.bundleID
    event.appVersion = header?.app_version
    event.deviceModel = body.modelCode
    event.osVersion = body.osVersion?.train
    event.report = report(body)
    event.errorMessage = body.exception?.subtype
    return (event, ReportContext(incident: body.incident))
  }

  private static func report(_ body: Body) -> CrashReport {
    var report = CrashReport()
    report.id = body.incident
    report.processName = body.procName
    report.processId = body.pid
    report.architecture = body.cpuType == "ARM-64" ? "arm64" : body.cpuType == "X86-64" ? "x86_64" : body.cpuType
    if let exception = body.exception {
      report.signal = CrashReport.Signal(name: exception.signal ?? exception.type, codeName: exception.type)
    }
    if let reason = body.exceptionReason {
      report.exception = CrashReport.Exception(type: reason.name ?? reason.type, reason: reason.composed_message)
    }
    report.images = (body.usedImages ?? []).prefix(ReportLimits.images).map { image in
      CrashReport.Image(
        name: image.name ?? image.path.map { URL(filePath: $0).lastPathComponent } ?? "?", path: image.path,
        id: image.uuid.flatMap(SymbolID.init), base: image.base, size: image.size, architecture: image.arch)
    }
    report.threads = (body.threads ?? []).prefix(ReportLimits.threads).map { thread in
      var result = CrashReport.Thread(
        id: thread.id, name: thread.name, isCrashed: thread.triggered ?? false,
        isMain: thread.queue == "com.apple.main-thread")
      // An exception's own stack says where it was thrown; the thread's only how the process ended.
      let own = thread.triggered == true ? body.lastExceptionBacktrace : nil
      result.frames = frames(own ?? thread.frames ?? [], report.images, hasContext: own == nil)
      return result
    }
    return report
  }

  private static func frames(
    _ frames: [Body.Frame], _ images: [CrashReport.Image], hasContext: Bool
  ) -> [CrashReport.Frame] {
    // Inlined frames come back from the symbols.
    frames.filter { $0.inline != true }.prefix(ReportLimits.framesOfThread).enumerated().map { index, frame in
      var result = CrashReport.Frame(image: frame.imageIndex, offset: frame.imageOffset.flatMap(UInt64.init(exactly:)))
      if let image = frame.imageIndex, images.indices.contains(image), let base = images[image].base,
        let offset = result.offset
      {
        result.address = base.addingReportingOverflow(offset).partialValue
      }
      result.symbol = frame.symbol
      result.symbolOffset = frame.symbolLocation.flatMap(UInt64.init(exactly:))
      result.trust = index == 0 && hasContext ? "context" : "fp"
      return result
    }
  }

  /// `2026-11-21 13:15:00.2500 +0000`.
  private static func milliseconds(_ text: String) -> Int64? {
    let strategy = Date.ParseStrategy(
      format:
        "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
      timeZone: .gmt)
    guard let date = try? strategy.parse(String(text.prefix(19))) else { return nil }
    var seconds = date.timeIntervalSince1970
    if let zone = text.split(separator: " ").last, zone.count == 5, let value = Int(zone) {
      seconds -= Double(value / 100 * 3600 + value % 100 * 60)
    }
    return Int64(seconds * 1000)
  }
}
