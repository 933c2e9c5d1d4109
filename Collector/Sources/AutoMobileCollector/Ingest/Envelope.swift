import AutoMobileJournal
import Foundation
import NIOCore

/// AutoMobile's own batch format: `{"bundleId"?,"events":[{"eventType","payload","sequence"?}],"timestamp",…}` with each
/// event's JSON in base64. Read, checked, and turned into the form that the ingest log keeps.
struct Envelope {
  private var bundleId: String?
  private var sdkVersion: String?
  private var timestamp: Int64?
  private var launch: LaunchID?
  private var ledger: LaunchLedger?
  private var events: [Event] = []
  private var rejected: [CheckedBatch.Rejection] = []
  /// The decoded events, one after the other.
  private var payloads: [UInt8] = []

  private struct Event {
    var index: Int
    var sequence: UInt64?
    var payload: Range<Int>
  }

  /// Reads a body.
  ///
  /// - Throws: ``APIError`` when the batch as a whole cannot be read. An event that cannot is listed in
  ///   ``CheckedBatch/rejected``, and the others are kept.
  static func check(_ body: ByteBuffer, limits: CollectorLimits) throws -> CheckedBatch {
    try body.withUnsafeReadableBytes { bytes in
      var envelope = Envelope()
      var scanner = JSONScanner(bytes, maximumDepth: limits.jsonDepth)
      do {
        try scanner.document { try envelope.read(&$0, limits: limits) }
      } catch let error as JSONError {
        throw APIError.badRequest(
          "invalid_json", "the batch cannot be read at byte \(error.offset): \(error.message)", offset: error.offset)
      }
      return try envelope.batch()
    }
  }

  // MARK: Reading

  private mutating func read(_ scanner: inout JSONScanner, limits: CollectorLimits) throws {
    var hasEvents = false
    try scanner.object { scanner, key in
      switch scanner.decode(key) {
      case "bundleId": bundleId = try optionalString(&scanner)
      case "sdkVersion": sdkVersion = try optionalString(&scanner)
      case "timestamp":
        guard try scanner.peek() == .number else { throw scanner.error("timestamp must be a number") }
        timestamp = try scanner.integer()
      case "launchId":
        guard let text = try optionalString(&scanner) else { return }
        guard let id = LaunchID(text) else { throw scanner.error("launchId must be a UUID") }
        launch = id
      case "ledger":
        let value = try scanner.skip()
        guard value.kind != .null else { return }
        do {
          ledger = try JSONDecoder().decode(LaunchLedger.self, from: Data(scanner.bytes[value.range]))
        } catch {
          throw JSONError(offset: value.range.lowerBound, message: "the ledger cannot be read")
        }
      case "events":
        hasEvents = true
        try scanner.array { scanner, index in
          if index >= limits.batchEvents {
            throw APIError.tooLarge("more than \(limits.batchEvents) events in one batch: send several")
          }
          try readEvent(&scanner, index: index, limits: limits)
        }
      default: try scanner.skip()
      }
    }
    guard hasEvents else {
      throw APIError.badRequest("invalid_batch", "the batch has no member \"events\": expected an array of events")
    }
  }

  private mutating func readEvent(_ scanner: inout JSONScanner, index: Int, limits: CollectorLimits) throws {
    var eventType: String?
    var sequence: UInt64?
    var payload: JSONScanner.Text?
    guard try scanner.peek() == .object else {
      try scanner.skip()
      return reject(index, nil, "the event is not an object")
    }
    try scanner.object { scanner, key in
      let kind = try scanner.peek()
      switch scanner.decode(key) {
      case "eventType" where kind == .string: eventType = try scanner.decode(scanner.string())
      case "payload" where kind == .string: payload = try scanner.string()
      case "sequence" where kind == .number:
        if let number = try scanner.integer() { sequence = UInt64(exactly: number) }
      default: try scanner.skip()
      }
    }
    guard let payload else { return reject(index, sequence, "the event has no payload: expected base64 text") }
    guard payload.range.count / 4 * 3 <= limits.eventBytes + 2 else {
      return reject(index, sequence, "the event is longer than \(limits.eventBytes) bytes")
    }
    let start = payloads.count
    // Foundation's encoder writes base64's slashes with a backslash.
    let decoded =
      payload.isEscaped
      ? Base64.decode(scanner.unescape(payload), into: &payloads)
      : Base64.decode(scanner.bytes[payload.range], into: &payloads)
    guard decoded else { return reject(index, sequence, "the payload is not base64") }
    do {
      try normalize(from: start, eventType: eventType, limits: limits)
      events.append(Event(index: index, sequence: sequence, payload: start..<payloads.count))
    } catch {
      payloads.removeLast(payloads.count - start)
      reject(index, sequence, "the payload cannot be read \(error)")
    }
  }

  /// Checks the event's JSON, and writes the envelope's event type into it when it has none of its own.
  private mutating func normalize(from start: Int, eventType: String?, limits: CollectorLimits) throws {
    let fields = try payloads.withUnsafeBytes { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[start...]), maximumDepth: limits.jsonDepth)
      return try EventFields(&scanner)
    }
    guard fields.timestamp != nil else { throw JSONError(offset: 0, message: "the event has no timestamp") }
    if fields.eventType != nil { return }
    guard let eventType else { throw JSONError(offset: 0, message: "the event has no eventType") }
    var json = JSONOutput()
    json.object { $0.member("eventType", eventType) }
    // `{"eventType":"…"` and a comma, in place of the event's own opening brace. It has a timestamp, so it is not empty.
    let brace = payloads[start...].firstIndex(of: UInt8(ascii: "{")) ?? start
    payloads.replaceSubrange(
      start...brace, with: json.buffer.readableBytesView.dropLast() + CollectionOfOne(UInt8(ascii: ",")))
  }

  private func optionalString(_ scanner: inout JSONScanner) throws -> String? {
    guard try scanner.peek() == .string else {
      try scanner.skip()
      return nil
    }
    return try scanner.decode(scanner.string())
  }

  private mutating func reject(_ index: Int, _ sequence: UInt64?, _ reason: String) {
    rejected.append(.init(sequence: sequence, index: index, reason: reason))
  }

  // MARK: The log's form

  private mutating func batch() throws -> CheckedBatch {
    let launch = launch ?? SyntheticNames.launch(bundleId: bundleId)
    let codec = RecordCodec(launch: launch)
    var records: [UInt8] = []
    records.reserveCapacity(payloads.count + events.count * 24)
    var kept = 0
    var lowest = UInt64.max
    var highest: UInt64 = 0
    payloads.withUnsafeBytes { bytes in
      for event in events {
        let payload = UnsafeRawBufferPointer(rebasing: bytes[event.payload])
        // A sequence number without a launch names nothing.
        let sequence = self.launch == nil ? nil : event.sequence
        let name = sequence ?? SyntheticNames.position(of: payload, batch: timestamp ?? 0, index: event.index)
        guard codec.append(kind: .event, position: name, payload: payload, to: &records) else {
          rejected.append(.init(sequence: event.sequence, index: event.index, reason: "the event is too long"))
          continue
        }
        kept += 1
        lowest = min(lowest, name)
        highest = max(highest, name)
      }
    }
    let header = BatchHeader(
      launchId: launch, from: kept == 0 ? 0 : lowest, to: kept == 0 ? 0 : highest + 1, bundleId: bundleId,
      sdkVersion: sdkVersion, sentAt: timestamp, ledger: self.launch == nil ? nil : ledger)
    var body = ByteBuffer(bytes: try header.encoded())
    body.writeBytes(records)
    return CheckedBatch(launch: launch, bundleId: bundleId, body: body, events: kept, records: kept, rejected: rejected)
  }
}
