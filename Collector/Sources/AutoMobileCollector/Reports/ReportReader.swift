/// Reads the member `report` of an event, in one pass, taking what it knows and passing over the rest.
struct ReportReader {
  private var report = CrashReport()
  private var frameCount = 0
  private var isCut = false

  /// - Parameter scanner: before the object.
  /// - Throws: ``JSONError`` when it is not JSON. Members of a wrong type are passed over.
  static func read(_ scanner: inout JSONScanner) throws -> CrashReport {
    var reader = ReportReader()
    try scanner.object { scanner, key in try reader.member(scanner.decode(key), &scanner) }
    if reader.isCut { reader.report.notes.append("The report was longer than is kept: its end is missing.") }
    return reader.report
  }

  private mutating func member(_ name: String, _ scanner: inout JSONScanner) throws {
    switch name {
    case "reportId": report.id = try scanner.optionalText()
    case "kind": report.kind = try scanner.optionalText() ?? report.kind
    case "architecture": report.architecture = try scanner.optionalText()
    case "os": report.system = try scanner.optionalText()
    case "durationMs": report.durationMs = try scanner.optionalNumber()
    case "anr": report.isANR = try scanner.optionalBool() ?? false
    case "process":
      try scanner.optionalObject { scanner, key in
        switch scanner.decode(key) {
        case "name": report.processName = try scanner.optionalText()
        case "pid": report.processId = try scanner.optionalInteger()
        default: try scanner.skip()
        }
      }
    case "signal": report.signal = try signal(&scanner)
    case "exception": report.exception = try exception(&scanner)
    case "threads":
      try list(&scanner, limit: ReportLimits.threads) { reader, scanner in
        reader.report.threads.append(try reader.thread(&scanner))
      }
    case "samples":
      try list(&scanner, limit: ReportLimits.samples) { reader, scanner in
        reader.report.samples.append(try reader.sample(&scanner))
      }
    case "images":
      try list(&scanner, limit: ReportLimits.images) { reader, scanner in
        reader.report.images.append(try Self.image(&scanner))
      }
    case "breadcrumbs":
      try list(&scanner, limit: ReportLimits.breadcrumbs) { reader, scanner in
        if let crumb = try Self.breadcrumb(&scanner) { reader.report.breadcrumbs.append(crumb) }
      }
    case "notes":
      try list(&scanner, limit: ReportLimits.notes) { reader, scanner in
        if let note = try scanner.optionalText() { reader.report.notes.append(note) }
      }
    default: try scanner.skip()
    }
  }

  /// Calls `element` for each, up to `limit`.
  private mutating func list(
    _ scanner: inout JSONScanner, limit: Int, _ element: (inout ReportReader, inout JSONScanner) throws -> Void
  ) throws {
    guard try scanner.peek() == .array else { return _ = try scanner.skip() }
    var reader = self
    try scanner.array { scanner, index in
      if index < limit {
        try element(&reader, &scanner)
      } else {
        reader.isCut = true
        try scanner.skip()
      }
    }
    self = reader
  }

  private func signal(_ scanner: inout JSONScanner) throws -> CrashReport.Signal? {
    var signal = CrashReport.Signal()
    let isThere = try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      case "number": signal.number = try scanner.optionalInteger()
      case "name": signal.name = try scanner.optionalText()
      case "code": signal.code = try scanner.optionalInteger()
      case "codeName": signal.codeName = try scanner.optionalText()
      case "address": signal.address = try scanner.optionalAddress()
      default: try scanner.skip()
      }
    }
    return isThere ? signal : nil
  }

  private func exception(_ scanner: inout JSONScanner) throws -> CrashReport.Exception? {
    var exception = CrashReport.Exception()
    let isThere = try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      case "type": exception.type = try scanner.optionalText()
      case "reason": exception.reason = try scanner.optionalText()
      default: try scanner.skip()
      }
    }
    return isThere ? exception : nil
  }

  private mutating func thread(_ scanner: inout JSONScanner) throws -> CrashReport.Thread {
    var thread = CrashReport.Thread()
    var reader = self
    try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      case "id": thread.id = try scanner.optionalInteger()
      case "name": thread.name = try scanner.optionalText()
      case "crashed": thread.isCrashed = try scanner.optionalBool() ?? false
      case "main": thread.isMain = try scanner.optionalBool() ?? false
      case "truncated": thread.isTruncated = try scanner.optionalBool() ?? false
      case "registers":
        try scanner.optionalObject { scanner, key in
          let name = String(scanner.decode(key).prefix(16))
          guard let value = try scanner.optionalAddress(), thread.registers.count < ReportLimits.registers else {
            return
          }
          thread.registers.append(.init(name: name, value: value))
        }
      case "frames": thread.frames = try reader.frames(&scanner)
      default: try scanner.skip()
      }
    }
    self = reader
    return thread
  }

  private mutating func sample(_ scanner: inout JSONScanner) throws -> CrashReport.Sample {
    var sample = CrashReport.Sample()
    var reader = self
    try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      case "atMs": sample.atMs = try scanner.optionalNumber()
      case "count": sample.count = max(1, try scanner.optionalInteger() ?? 1)
      case "frames": sample.frames = try reader.frames(&scanner)
      default: try scanner.skip()
      }
    }
    self = reader
    return sample
  }

  private mutating func frames(_ scanner: inout JSONScanner) throws -> [CrashReport.Frame] {
    var frames: [CrashReport.Frame] = []
    try list(&scanner, limit: ReportLimits.framesOfThread) { reader, scanner in
      guard reader.frameCount < ReportLimits.frames else {
        reader.isCut = true
        return _ = try scanner.skip()
      }
      reader.frameCount += 1
      frames.append(try Self.frame(&scanner))
    }
    return frames
  }

  private static func frame(_ scanner: inout JSONScanner) throws -> CrashReport.Frame {
    var frame = CrashReport.Frame()
    try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      case "address": frame.address = try scanner.optionalAddress()
      case "image": frame.image = try scanner.optionalInteger().flatMap { Int(exactly: $0) }
      case "offset": frame.offset = try scanner.optionalAddress()
      case "symbol": frame.symbol = try scanner.optionalText().flatMap { $0.isEmpty ? nil : $0 }
      case "symbolOffset": frame.symbolOffset = try scanner.optionalAddress()
      case "trust": frame.trust = try scanner.optionalText()
      default: try scanner.skip()
      }
    }
    return frame
  }

  private static func breadcrumb(_ scanner: inout JSONScanner) throws -> CrashReport.Breadcrumb? {
    var crumb = CrashReport.Breadcrumb(message: "")
    let isThere = try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      // In seconds, as the SDK's breadcrumbs have it.
      case "timestamp": crumb.timestamp = try scanner.optionalNumber().flatMap { Int64(exactly: ($0 * 1000).rounded()) }
      case "category": crumb.category = try scanner.optionalText()
      case "message": crumb.message = try scanner.optionalText() ?? ""
      default: try scanner.skip()
      }
    }
    return isThere ? crumb : nil
  }

  private static func image(_ scanner: inout JSONScanner) throws -> CrashReport.Image {
    var image = CrashReport.Image(name: "?")
    try scanner.optionalObject { scanner, key in
      switch scanner.decode(key) {
      case "name": image.name = try scanner.optionalText() ?? image.name
      case "path": image.path = try scanner.optionalText()
      case "uuid": image.id = try scanner.optionalText().flatMap(SymbolID.init)
      case "base": image.base = try scanner.optionalAddress()
      case "size": image.size = try scanner.optionalAddress()
      case "architecture": image.architecture = try scanner.optionalText()
      default: try scanner.skip()
      }
    }
    return image
  }
}

/// Values that are nil, and passed over, when they are of another kind.
extension JSONScanner {
  mutating func optionalText() throws -> String? {
    guard try peek() == .string else {
      try skip()
      return nil
    }
    let text = decode(try string())
    return text.utf8.count <= ReportLimits.text
      ? text : String(decoding: text.utf8.prefix(ReportLimits.text), as: UTF8.self)
  }

  mutating func optionalInteger() throws -> Int64? {
    guard try peek() == .number else {
      try skip()
      return nil
    }
    return try integer()
  }

  mutating func optionalNumber() throws -> Double? {
    let value = try skip()
    return value.kind == .number ? Double(String(decoding: bytes[value.range], as: UTF8.self)) : nil
  }

  mutating func optionalBool() throws -> Bool? {
    let value = try skip()
    return value.kind == .boolean ? bytes[value.range.lowerBound] == UInt8(ascii: "t") : nil
  }

  /// `"0x1f"`, or a number.
  mutating func optionalAddress() throws -> UInt64? {
    switch try peek() {
    case .string:
      let text = decode(try string())
      return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    case .number: return try integer().flatMap { UInt64(exactly: $0) }
    default:
      try skip()
      return nil
    }
  }

  /// Reads an object's members; false when it is none.
  @discardableResult
  mutating func optionalObject(_ member: (inout JSONScanner, Text) throws -> Void) throws -> Bool {
    guard try peek() == .object else {
      try skip()
      return false
    }
    try object(member)
    return true
  }
}
