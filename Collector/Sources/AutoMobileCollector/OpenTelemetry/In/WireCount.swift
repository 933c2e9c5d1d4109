import NIOCore

/// How much a request brings, before anything of it is made: two bytes can be a record that takes two hundred in memory, so
/// a body is walked through once, building nothing, and refused when there is too much in it.
package struct WireCount: Sendable, Equatable {
  /// Log records, spans or data points.
  package private(set) var records = 0
  /// Messages of all kinds: what memory is needed for.
  private(set) var messages = 0

  /// What a message takes at most beside its texts, in bytes, roughly.
  static let messageBytes = 100

  /// What is brought, which says what stands where.
  package enum Signal: String, Sendable {
    case logs, traces, metrics
  }

  /// - Throws: ``APIError`` 400 when it is no protobuf (or JSON) at all, 413 when there is more than the limits allow.
  init(_ body: ByteBuffer, _ format: OTLPFormat, _ signal: Signal, limits: CollectorLimits) throws {
    try body.withUnsafeReadableBytes { bytes in
      switch format {
      case .protobuf: try walk(bytes, 0..<bytes.count, as: .request(signal), depth: 0)
      case .json: try scan(bytes, signal, maximumDepth: limits.jsonDepth)
      }
    }
    guard records <= limits.otlpRecords else {
      throw APIError.tooLarge(
        "\(records) records in one request, more than \(limits.otlpRecords): send smaller batches")
    }
    guard messages <= limits.otlpMessages else {
      throw APIError.tooLarge(
        "\(messages) attributes and other parts in one request, more than \(limits.otlpMessages): send smaller batches")
    }
  }

  /// Of bytes that this program has written.
  package init(protobuf bytes: UnsafeRawBufferPointer, _ signal: Signal) throws {
    try walk(bytes, 0..<bytes.count, as: .request(signal), depth: 0)
  }

  // MARK: Protobuf

  /// What a message is, as far as it matters what stands in it.
  private enum Part {
    case request(Signal), group(Signal), scopeGroup(Signal)
    case resource, scope, keyValue, anyValue, list
    case log, span, spanEvent, link
    case metric, points(Point), point(Point), exemplar
    case leaf

    enum Point { case number, histogram, exponential, summary }

    var isRecord: Bool {
      switch self {
      case .log, .span, .point: true
      default: false
      }
    }

    /// The message in a field; nil: there is none, or none that counts.
    func part(_ field: UInt64) -> Part? {
      switch (self, field) {
      case (.request(let signal), 1): .group(signal)
      case (.group, 1): .resource
      case (.group(let signal), 2): .scopeGroup(signal)
      case (.scopeGroup, 1): .scope
      case (.scopeGroup(let signal), 2): signal == .logs ? .log : signal == .traces ? .span : .metric
      case (.resource, 1), (.scope, 3), (.log, 6), (.span, 9), (.spanEvent, 3), (.link, 4), (.metric, 12): .keyValue
      case (.log, 5), (.keyValue, 2): .anyValue
      case (.anyValue, 5): .list
      case (.anyValue, 6): .list
      // The elements of a list are values, those of a map names with values; both are walked as the latter, which has its value
      // in field 2, the former in its own.
      case (.list, 1): .keyValue
      case (.keyValue, 5), (.keyValue, 6): .list
      case (.span, 11): .spanEvent
      case (.span, 13): .link
      case (.span, 15), (.resource, 3): .leaf
      case (.metric, 5), (.metric, 7): .points(.number)
      case (.metric, 9): .points(.histogram)
      case (.metric, 10): .points(.exponential)
      case (.metric, 11): .points(.summary)
      case (.points(let kind), 1): .point(kind)
      case (.point(.number), 7), (.point(.histogram), 9), (.point(.exponential), 1), (.point(.summary), 7): .keyValue
      case (.point(.number), 5), (.point(.histogram), 8), (.point(.exponential), 11): .exemplar
      case (.point(.summary), 6), (.point(.exponential), 8), (.point(.exponential), 9): .leaf
      case (.exemplar, 7): .keyValue
      default: nil
      }
    }
  }

  /// As deep as swift-protobuf reads.
  private static let maximumDepth = 100

  private mutating func walk(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, as part: Part, depth: Int) throws {
    guard depth < Self.maximumDepth else { throw Self.invalid(range.lowerBound, "is nested too deeply") }
    messages += 1
    if part.isRecord { records += 1 }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let tag = try Self.varint(bytes, &offset, range.upperBound)
      switch tag & 7 {
      case 0: _ = try Self.varint(bytes, &offset, range.upperBound)
      case 1: offset += 8
      case 5: offset += 4
      case 2:
        let length = try Self.varint(bytes, &offset, range.upperBound)
        guard length <= UInt64(range.upperBound - offset) else { throw Self.invalid(offset, "ends too early") }
        let end = offset + Int(length)
        if let inner = part.part(tag >> 3) {
          if case .leaf = inner { messages += 1 } else { try walk(bytes, offset..<end, as: inner, depth: depth + 1) }
        }
        offset = end
      // The ends of a group, an older form of a message: what stands between them are fields as any others.
      case 3, 4: break
      default: throw Self.invalid(offset, "has a field of a kind that there is not")
      }
      guard offset <= range.upperBound else { throw Self.invalid(offset, "ends too early") }
    }
  }

  private static func varint(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int, _ end: Int) throws -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return result }
      shift += 7
      guard shift < 70 else { throw invalid(offset, "has a number that is too long") }
    }
    throw invalid(offset, "ends too early")
  }

  private static func invalid(_ offset: Int, _ what: String) -> APIError {
    APIError.badRequest("invalid_otlp", "the protobuf \(what), at byte \(offset)", offset: offset)
  }

  // MARK: JSON

  /// Each object is a message; those that are records stand in the arrays that are named so, below the request's own groups.
  private mutating func scan(_ bytes: UnsafeRawBufferPointer, _ signal: Signal, maximumDepth: Int) throws {
    var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
    var count = self
    do {
      try scanner.document { try count.value(&$0, signal, isRecord: false) }
    } catch let error as JSONError {
      throw APIError.badRequest(
        "invalid_json", "the request cannot be read at byte \(error.offset): \(error.message)", offset: error.offset)
    }
    self = count
  }

  private mutating func value(_ scanner: inout JSONScanner, _ signal: Signal, isRecord: Bool) throws {
    var count = self
    switch try scanner.peek() {
    case .object:
      count.messages += 1
      if isRecord { count.records += 1 }
      try scanner.object { scanner, key in
        let isList = !isRecord && scanner.isName(of: signal, key)
        try count.value(&scanner, signal, isRecords: isList)
      }
    case .array: try scanner.array { scanner, _ in try count.value(&scanner, signal, isRecord: false) }
    default: try scanner.skip()
    }
    self = count
  }

  private mutating func value(_ scanner: inout JSONScanner, _ signal: Signal, isRecords: Bool) throws {
    guard isRecords, try scanner.peek() == .array else { return try value(&scanner, signal, isRecord: false) }
    var count = self
    try scanner.array { scanner, _ in try count.value(&scanner, signal, isRecord: true) }
    self = count
  }
}

extension JSONScanner {
  /// Whether a member holds the records of a request; both spellings are protobuf's.
  fileprivate func isName(of signal: WireCount.Signal, _ key: Text) -> Bool {
    switch signal {
    case .logs: matches(key, "logRecords") || matches(key, "log_records")
    case .traces: matches(key, "spans")
    case .metrics: matches(key, "dataPoints") || matches(key, "data_points")
    }
  }
}
