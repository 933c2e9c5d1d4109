import Foundation
import NIOCore

/// A report in a file: Apple's `.ips`, an event as the collector gives it out, or a report alone.
package enum ReportFile {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// - Throws: ``Failure`` when it is none of these.
  package static func read(_ data: Data) throws -> (event: EventReport, context: ReportContext) {
    do {
      if IPSReader.looksLikeIPS(data) { return try IPSReader.read(data) }
      let event = try data.withUnsafeBytes { try read($0) }
      return (event, ReportContext(incident: event.report.id))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "it is neither an .ips file nor an event with a report: \(error)")
    }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws -> EventReport {
    var scanner = JSONScanner(bytes)
    var type: String?
    var kind: String?
    var payload: Range<Int>?
    var hasThreads = false
    try scanner.document { scanner in
      try scanner.object { scanner, key in
        switch scanner.decode(key) {
        case "eventType": type = try scanner.optionalText()
        case "kind": kind = try scanner.optionalText()
        case "payload": payload = try scanner.skip().range
        case "threads":
          hasThreads = true
          try scanner.skip()
        default: try scanner.skip()
        }
      }
    }
    if let payload { return try EventReport(payload: UnsafeRawBufferPointer(rebasing: bytes[payload]), type: type) }
    guard hasThreads else { return try EventReport(payload: bytes, type: type ?? eventType(kind)) }
    var alone = JSONScanner(bytes)
    let report = try alone.document { try ReportReader.read(&$0) }
    var event = EventReport(kind: eventType(kind).flatMap(EventReport.Kind.init(eventType:)) ?? .crash)
    event.report = report
    return event
  }

  private static func eventType(_ kind: String?) -> String? {
    switch kind {
    case "hang": "hang"
    case "failure": "handled_exception"
    case nil: nil
    default: "crash"
    }
  }

  /// The report as JSON, with what symbolication has added.
  package static func json(_ event: EventReport) -> String {
    var json = JSONOutput()
    event.report.write(to: &json)
    return String(buffer: json.buffer)
  }
}
