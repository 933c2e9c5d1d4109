import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileRecorder

extension SdkHarness {
  /// An event as it stands in the journal.
  struct Recorded {
    var kind: RecordKind
    var payload: Data
    var event: any SdkEvent
    var context: [String: Any]
  }

  private func records() throws -> [JournalRecord] {
    let journal = try #require(sdk.runtime).journal
    return journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records
  }

  /// This launch's events, in the order of recording, each with the context that it names.
  func recorded() throws -> [Recorded] {
    var contexts: [UInt64: [String: Any]] = [:]
    var events: [Recorded] = []
    for record in try records() {
      let payload = Data(record.payload)
      let object = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
      let id = (object["contextId"] as? NSNumber)?.uint64Value
      switch record.kind {
      case .context: contexts[id ?? 0] = object
      case .event, .eventAndBreadcrumb:
        let context = try #require(contexts[id ?? 0], "the event's context stands before it")
        events.append(
          Recorded(
            kind: record.kind, payload: payload, event: try SdkEventDecoder.decode(payload), context: context))
      default: break
      }
    }
    return events
  }

  func contextCount() throws -> Int { try records().filter { $0.kind == .context }.count }

  /// Every call is counted, and what is not there has a reason.
  func expectBalancedLedger(recorded expected: UInt64, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let diagnostics = sdk.diagnostics
    let dropped = diagnostics.dropped.values.reduce(0, +)
    #expect(diagnostics.recorded == expected, sourceLocation: sourceLocation)
    #expect(try UInt64(recorded().count) + dropped == expected, sourceLocation: sourceLocation)
  }
}
