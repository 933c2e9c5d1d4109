import Foundation

/// A trace's name: 32 hexadecimal digits, of which one at least is not zero.
struct TraceName: Hashable, Sendable {
  let data: Data

  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 32, let high = SpanName.number(text.prefix(16)),
      let low = SpanName.number(text.suffix(16)),
      high | low != 0
    else { return nil }
    data = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }

  init(data: Data) { self.data = data }

  var text: String { data.hexText }
}

/// A span's name: 16 hexadecimal digits, as the number that the index keeps.
enum SpanName {
  /// Nil for zero, which names nothing.
  static func row(_ text: some StringProtocol) -> Int64? {
    guard text.utf8.count == 16, let number = number(text), number != 0 else { return nil }
    return Int64(bitPattern: number)
  }

  static func text(_ row: Int64) -> String {
    let digits = String(UInt64(bitPattern: row), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Upper case is taken as well; a sign is not.
  fileprivate static func number(_ text: some StringProtocol) -> UInt64? {
    guard text.utf8.allSatisfy({ JSONScanner.hexValue($0) != nil }) else { return nil }
    return UInt64(text, radix: 16)
  }
}

/// Where in a trace something is.
struct TracePlace: Equatable, Sendable {
  var trace: TraceName
  /// Its own name.
  var span: Int64?
  var parent: Int64?

  /// A request's: the header that it carried, and the span inside of which it was made.
  init?(traceparent: String?, traceId: String?, parentSpanId: String?) {
    let carried = traceparent.map { $0.split(separator: "-", omittingEmptySubsequences: false) } ?? []
    let isHeader = carried.count >= 4 && carried[0].utf8.count == 2 && carried[0] != "ff"
    let header = isHeader ? TraceName(carried[1]) : nil
    guard let trace = header ?? traceId.flatMap({ TraceName($0) }) else { return nil }
    self.trace = trace
    if header != nil { span = SpanName.row(carried[2]) }
    // Somebody else's header may go on with another trace.
    if traceId.flatMap({ TraceName($0) }) == trace { parent = parentSpanId.flatMap { SpanName.row($0) } }
  }
}
