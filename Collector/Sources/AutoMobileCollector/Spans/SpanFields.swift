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
    case "name": name = try scanner.text(most: Self.longestName) ?? name
    case "traceId": traceText = try scanner.text(most: 33) ?? ""
    case "spanId": spanText = try scanner.text(most: 17) ?? ""
    case "parentSpanId": parent = try scanner.text(most: 17).flatMap { SpanName.row($0) }
    case "durationMs": duration = try scanner.microseconds()
    case "kind": kind = try scanner.text(most: 16)
    case "status": status = try scanner.text(most: 16)
    case "statusMessage": message = try scanner.text(most: 300)
    default: try scanner.skip()
    }
  }
}
