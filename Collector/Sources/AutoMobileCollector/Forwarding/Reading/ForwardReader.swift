import AutoMobileClickHouse
import CZlib
import Foundation
import NIOCore

/// Makes requests out of what came after a place, in the order in which it came.
struct ForwardReader: Sendable {
  let reading: any ForwardReading
  let filter: ForwardFilter
  let format: OTLPFormat
  let compresses: Bool
  /// What this collector calls itself, for those that are sent what it forwards.
  var collector = ""
  var limits = ForwardLimits()
  /// How deep the JSON of an event may be nested.
  let maximumDepth: Int
  /// Encodes, and reads where that holds a thread up.
  let thread: QuietThread

  /// - Parameter records: at most so many.
  func batch(after cursor: Int64, records: Int) async throws -> ForwardBatch {
    let look = try await reading.look(after: cursor, filter, records: records, limits, on: thread)
    guard !look.groups.isEmpty else { return ForwardBatch(end: look.end, isLast: look.isLast) }
    return try await thread.run { [self] in encode(look) }
  }

  private func encode(_ look: ForwardLook) -> ForwardBatch {
    var batch = ForwardBatch(end: look.end, isLast: look.isLast)
    var messages = OutgoingMessages(format, filter.signal == .logs ? .log : .span, maximumDepth: maximumDepth)
    for (number, group) in look.groups.enumerated() {
      var context = group.context
      ForwardTrail.sign(&context.resource, as: collector)
      for (row, launch) in group.rows {
        let record = OutgoingRecord(row, maximumDepth: maximumDepth)
        switch filter.signal {
        case .logs:
          var log = record.logRecord(context)
          // The same whenever it goes out, so that a receiver can tell what it has.
          log.attributes.append(OTLP.KeyValue("log.record.uid", "\(launch)-\(UInt64(bitPattern: row.sequence))"))
          messages.add(log, context, Int64(number))
        case .traces:
          // Its end says everything again.
          if !record.isOpen { messages.add(record.span(context), context, Int64(number)) }
        }
      }
    }
    batch.count = messages.count
    guard let bytes = messages.take() else { return batch }
    let short = compresses ? Gzip.compressed(bytes, level: Z_BEST_SPEED) : nil
    (batch.body, batch.isCompressed) = (short ?? bytes, short != nil)
    return batch
  }

  /// How many records are wanted after a place, up to another one.
  ///
  /// - Returns: and where the count ended.
  func count(after cursor: Int64, upTo end: Int64) async throws -> (count: Int, end: Int64) {
    try await reading.count(after: cursor, upTo: end, filter, limits, on: thread)
  }
}
