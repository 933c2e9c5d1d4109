import Foundation

/// A report as text, in the classic form of a crash report.
package struct TextExport {
  private let event: EventReport
  private let context: ReportContext
  private var lines: [String] = []

  /// The text of a report that has been symbolicated.
  package static func text(of event: EventReport, _ context: ReportContext) -> String {
    var export = TextExport(event: event, context: context)
    export.head()
    export.cause()
    export.samples()
    export.threads()
    export.source()
    export.registers()
    export.breadcrumbs()
    export.images()
    export.notes()
    return export.lines.joined(separator: "\n") + "\n"
  }

  private init(event: EventReport, context: ReportContext) {
    self.event = event
    self.context = context
  }

  private var report: CrashReport { event.report }

  private mutating func head() {
    field("Incident Identifier", context.incident)
    field("Process", [report.processName, report.processId.map { "[\($0)]" }].compactMap { $0 }.joined(separator: " "))
    field("Identifier", event.bundleId)
    field("Version", event.appVersion)
    field("Code Type", report.architecture)
    field("Hardware Model", event.deviceModel)
    field("Date/Time", context.date(event.timestamp))
    field("OS Version", [event.systemName ?? report.system, event.osVersion].compactMap { $0 }.joined(separator: " "))
    field("Session", context.sessionId)
    field("Launch", context.launchId)
    field("Screen", event.screen)
    lines.append("")
  }

  private mutating func cause() {
    field("Kind", event.cause)
    if let exception = report.exception {
      field("Exception Type", exception.type)
      field("Exception Reason", exception.reason)
    } else if event.kind == .failure {
      field("Error", event.errorDomain)
    }
    if let signal = report.signal {
      let code = [signal.codeName ?? signal.code.map(String.init), signal.address.hex.map { "at \($0)" }]
      let detail = code.compactMap { $0 }.joined(separator: " ")
      let number = signal.number.map { " (\($0))" } ?? ""
      field("Signal", (signal.name ?? "?") + number + (detail.isEmpty ? "" : " \(detail)"))
    }
    field("Message", event.errorMessage)
    field("Note", event.customMessage)
    if let duration = report.durationMs { field("Duration", String(format: "%.0f ms", duration)) }
    if event.kind == .crash, let index = report.principal { field("Triggered by Thread", String(index)) }
    lines.append("")
  }

  private mutating func samples() {
    let total = report.samples.reduce(0) { $0 + $1.count }
    for (index, sample) in report.samples.enumerated() {
      let at = sample.atMs.map { String(format: ", first after %.0f ms", $0) } ?? ""
      lines.append("Sample \(index) (\(sample.count) of \(total)\(at)):")
      frames(sample.frames)
    }
  }

  private mutating func threads() {
    for (index, thread) in report.threads.enumerated() {
      if let name = thread.name { lines.append("Thread \(index) name:  \(Self.line(name))") }
      lines.append("Thread \(index)\(thread.isCrashed ? " Crashed" : ""):")
      frames(thread.frames)
    }
  }

  private mutating func frames(_ frames: [CrashReport.Frame]) {
    var number = 0
    for frame in frames {
      let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0].name : nil } ?? "?"
      let name = image.padding(toLength: max(30, image.count), withPad: " ", startingAt: 0)
      let address = frame.address.map { "0x" + Self.hex($0, digits: 16) } ?? String(repeating: " ", count: 18)
      var text = "\(number)".padding(toLength: 4, withPad: " ", startingAt: 0) + "\(Self.line(name))\t\(address) "
      if let function = frame.function ?? frame.symbol {
        text += Self.line(function)
        if frame.isInlined { text += " [inlined]" } else if let offset = frame.symbolOffset { text += " + \(offset)" }
      } else if let base = frame.image.flatMap({ report.images.indices.contains($0) ? report.images[$0].base : nil }) {
        text += "0x" + String(base, radix: 16) + (frame.offset.map { " + \($0)" } ?? "")
      }
      if let file = frame.file {
        text += " (\(Self.line(URL(filePath: file).lastPathComponent))" + (frame.line.map { ":\($0)" } ?? "") + ")"
      }
      lines.append(text)
      number += 1
    }
    lines.append("")
  }

  /// The lines around the first frame of the app's own, where they are here.
  private mutating func source() {
    guard let frames = report.principal.map({ report.threads[$0].frames }),
      let index = frames.firstIndex(where: { $0.isInApp && $0.source != nil }), let source = frames[index].source
    else { return }
    lines.append("Source of frame \(index), \(Self.line(source.path)):")
    if let link = frames[index].link { lines.append("  " + Self.line(link)) }
    for (offset, text) in source.lines.enumerated() {
      let number = source.first + offset
      let digits = String(number)
      let mark = number == frames[index].line ? "> " : "  "
      lines.append(mark + String(repeating: " ", count: max(6 - digits.count, 0)) + digits + "  " + Self.line(text))
    }
    lines.append("")
  }

  private mutating func registers() {
    guard let index = report.principal, !report.threads[index].registers.isEmpty else { return }
    lines.append("Thread \(index) \(report.threads[index].isCrashed ? "crashed with " : "")registers:")
    let cells = report.threads[index].registers.map { register in
      let name = String(repeating: " ", count: max(0, 6 - register.name.count)) + register.name
      return "\(Self.line(name)): 0x" + Self.hex(register.value, digits: 16)
    }
    for start in stride(from: 0, to: cells.count, by: 4) {
      lines.append("  " + cells[start..<min(start + 4, cells.count)].joined(separator: "  "))
    }
    lines.append("")
  }

  private mutating func breadcrumbs() {
    guard !report.breadcrumbs.isEmpty else { return }
    lines.append("Breadcrumbs:")
    for crumb in report.breadcrumbs {
      let words = [crumb.timestamp.flatMap(context.date) ?? "?", crumb.category ?? "", crumb.message]
      lines.append("  " + Self.line(words.joined(separator: "  ")))
    }
    lines.append("")
  }

  private mutating func images() {
    guard report.images.contains(where: { $0.base != nil }) else { return }
    lines.append("Binary Images:")
    for image in report.images {
      let base = image.base ?? 0
      let end = base.addingReportingOverflow(max(image.size ?? 1, 1) - 1)
      let range =
        "0x" + Self.hex(base, digits: 12) + " - 0x" + Self.hex(end.overflow ? .max : end.partialValue, digits: 12)
      let words = [
        range, image.name, image.architecture ?? report.architecture ?? "?", "<\(image.id?.text ?? "?")>",
        image.path ?? "",
      ]
      lines.append(Self.line(words.joined(separator: " ")))
    }
    lines.append("")
  }

  private mutating func notes() {
    for note in report.notes { lines.append("Note: \(Self.line(note))") }
    if !report.notes.isEmpty { lines.append("") }
    lines.append("EOF")
  }

  private mutating func field(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    lines.append(
      (name + ":").padding(toLength: max(21, name.count + 2), withPad: " ", startingAt: 0) + Self.line(value))
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Without line breaks and other control characters: a name must not look like a frame, nor move a terminal's cursor.
  private static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control && $0 != "\t" ? " " : $0 }))
  }
}

/// What a report's exports need to know besides it.
package struct ReportContext: Sendable {
  package var incident: String?
  package var sessionId: String?
  package var launchId: String?

  package init(incident: String? = nil, sessionId: String? = nil, launchId: String? = nil) {
    self.incident = incident
    self.sessionId = sessionId
    self.launchId = launchId
  }

  /// `2026-11-21 13:15:00.250 +0000`.
  func date(_ milliseconds: Int64) -> String? {
    // Beyond these years calendars are of no use; broken clocks do send such times.
    guard milliseconds.magnitude < 100_000_000_000_000 else { return nil }
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let style = Date.VerbatimFormatStyle(
      format:
        "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits).\(secondFraction: .fractional(3)) +0000",
      timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    return date.formatted(style)
  }
}
