/// What the index keeps of a `span` event, read in one pass.
struct SpanFields {
  private(set) var name = ""
  private(set) var parent: Int64?
  /// In microseconds; nil: it has begun.
  private(set) var duration: Int64?
  private(set) var kind: String?
  private(set) var status: String?
  private(set) var message: String?
  private var traceText = ""
  private var spanText = ""

  static let longestName = 256

  /// Nil when it has no name by which it could be found again.
  var identity: (trace: TraceName, span: Int64)? {
    guard let trace = TraceName(traceText), let span = SpanName.row(spanText) else { return nil }
    return (trace, span)
  }

  /// - Throws: ``JSONError`` when it is not one JSON object. Members of another type than expected are passed over.
  init(_ json: UnsafeRawBufferPointer, maximumDepth: Int) throws {
    var scanner = JSONScanner(json, maximumDepth: maximumDepth)
    var fields = SpanFields()
    try scanner.document { scanner in
      try scanner.object { scanner, key in try fields.member(scanner.decode(key), &scanner) }
    }
    self = fields
  }

  private init() {}

  private mutating func member(_ member: String, _ scanner: inout JSONScanner) throws {
    switch member {
    case "name": name = try text(&scanner, most: Self.longestName) ?? name
    case "traceId": traceText = try text(&scanner, most: 33) ?? ""
    case "spanId": spanText = try text(&scanner, most: 17) ?? ""
    case "parentSpanId": parent = try text(&scanner, most: 17).flatMap { SpanName.row($0) }
    case "durationMs": duration = try microseconds(&scanner)
    case "kind": kind = try text(&scanner, most: 16)
    case "status": status = try text(&scanner, most: 16)
    case "statusMessage": message = try text(&scanner, most: 300)
    default: try scanner.skip()
    }
  }

  private func text(_ scanner: inout JSONScanner, most: Int) throws -> String? {
    guard try scanner.peek() == .string else {
      try scanner.skip()
      return nil
    }
    return String(scanner.decode(try scanner.string()).prefix(most))
  }

  /// What is no length of time is none at all: then it is a begin.
  private func microseconds(_ scanner: inout JSONScanner) throws -> Int64? {
    let value = try scanner.skip()
    guard value.kind == .number, let milliseconds = Double(String(decoding: scanner.bytes[value.range], as: UTF8.self)),
      (0...1e12).contains(milliseconds)
    else { return nil }
    return Int64((milliseconds * 1000).rounded())
  }
}
