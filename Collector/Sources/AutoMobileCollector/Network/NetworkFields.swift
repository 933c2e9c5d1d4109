/// What the index keeps of a `network_request` event, read in one pass.
struct NetworkFields {
  var method = "GET"
  var url = ""
  var status: Int64?
  /// In microseconds.
  var duration: Int64?
  /// In bytes: on the wire where that is known, else the bodies'.
  var sent: Int64?
  var received: Int64?
  var error: String?
  private(set) var isUnfinished = false
  var tracer: String?
  var mock: String?
  var operation: String?
  /// Where in a trace it is.
  var place: TracePlace? {
    TracePlace(traceparent: traceparent, traceId: traceId, parentSpanId: parentSpanId)
  }

  private var traceparent: String?
  private var traceId: String?
  private var parentSpanId: String?

  var outcome: RequestOutcome {
    RequestOutcome(
      status: status, hasError: error != nil,
      isCancelled: RequestOutcome.isCancellation(domain: errorDomain, code: errorCode), isUnfinished: isUnfinished)
  }

  private var errorDomain: String?
  private var errorCode: Int64?
  private var wireSent: Int64?
  private var wireReceived: Int64?

  /// - Throws: ``JSONError`` when it is not one JSON object. Members of another type than expected are passed over.
  init(_ json: UnsafeRawBufferPointer, maximumDepth: Int) throws {
    var scanner = JSONScanner(json, maximumDepth: maximumDepth)
    var fields = NetworkFields()
    try scanner.document { scanner in
      try scanner.object { scanner, key in try fields.member(scanner.decode(key), &scanner) }
    }
    self = fields
    sent = wireSent ?? sent
    received = wireReceived ?? received
  }

  private init() {}

  private mutating func member(_ name: String, _ scanner: inout JSONScanner) throws {
    switch name {
    case "method": method = try scanner.text(most: 32) ?? method
    case "url": url = try scanner.text(most: 8192) ?? url
    case "statusCode": status = try integer(&scanner).flatMap { (0...999).contains($0) ? $0 : nil }
    case "durationMs": duration = try scanner.microseconds()
    case "requestBodySize": sent = try size(&scanner)
    case "responseBodySize": received = try size(&scanner)
    case "error": error = try scanner.text(most: 300)
    case "errorDomain": errorDomain = try scanner.text(most: 100)
    case "errorCode": errorCode = try integer(&scanner)
    case "unfinished": isUnfinished = try scanner.skipsTrue()
    case "tracerId": tracer = try scanner.text(most: 200)
    case "traceparent": traceparent = try scanner.text(most: 256)
    case "traceId": traceId = try scanner.text(most: 33)
    case "parentSpanId": parentSpanId = try scanner.text(most: 17)
    case "mockRule": mock = try scanner.text(most: 200)
    case "graphQLOperation": operation = try scanner.text(most: 200)
    case "transport":
      guard try scanner.peek() == .object else { return _ = try scanner.skip() }
      try scanner.object { scanner, key in
        switch scanner.decode(key) {
        case "bytesSent": wireSent = try size(&scanner)
        case "bytesReceived": wireReceived = try size(&scanner)
        default: try scanner.skip()
        }
      }
    default: try scanner.skip()
    }
  }

  private func integer(_ scanner: inout JSONScanner) throws -> Int64? {
    guard try scanner.peek() == .number else {
      try scanner.skip()
      return nil
    }
    return try scanner.integer()
  }

  private func size(_ scanner: inout JSONScanner) throws -> Int64? {
    try integer(&scanner).flatMap { (0...(1 << 50)).contains($0) ? $0 : nil }
  }
}
