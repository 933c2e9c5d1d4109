import Foundation

/// A crash, hang or handled-exception event: its documented members, and its report.
///
/// An event without a report (an older SDK, or another) has its text stack trace read into one.
package struct EventReport: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case crash, hang, failure

    /// nil: there is nothing to report of events of this type.
    package init?(eventType: String) {
      switch eventType {
      case "crash": self = .crash
      case "hang": self = .hang
      case "handled_exception": self = .failure
      default: return nil
      }
    }

    var eventType: String { self == .failure ? "handled_exception" : rawValue }
  }

  package var kind: Kind
  package var timestamp: Int64 = 0
  package var errorDomain: String?
  package var errorMessage: String?
  package var customMessage: String?
  package var screen: String?
  /// What the app itself says that this problem is the same as; see ``Fingerprint``.
  package var fingerprint: String?
  package var bundleId: String?
  package var appVersion: String?
  package var deviceModel: String?
  package var osVersion: String?
  package var systemName: String?
  package var report = CrashReport()

  package init(kind: Kind) { self.kind = kind }

  /// Reads an event's JSON.
  ///
  /// - Parameter type: the event's type; nil: the one that the JSON names.
  /// - Throws: ``JSONError`` when it is not one JSON object, or an event of another type.
  package init(payload: UnsafeRawBufferPointer, type: String? = nil, maximumDepth: Int = 64) throws {
    var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
    var event = EventReport(kind: type.flatMap(Kind.init(eventType:)) ?? .crash)
    var named = type
    var trace: String?
    var report: CrashReport?
    var duration: Double?
    try scanner.document { scanner in
      try scanner.object { scanner, key in
        switch scanner.decode(key) {
        case "eventType": named = try scanner.optionalText() ?? named
        case "timestamp": event.timestamp = try scanner.optionalInteger() ?? 0
        case "errorDomain": event.errorDomain = try scanner.optionalText()
        case "errorMessage": event.errorMessage = try scanner.optionalText()
        case "customMessage": event.customMessage = try scanner.optionalText()
        case "currentScreen": event.screen = try scanner.optionalText()
        case "fingerprint":
          event.fingerprint = try scanner.optionalText().flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
        case "bundleId": event.bundleId = try scanner.optionalText()
        case "appVersion": event.appVersion = try scanner.optionalText()
        case "durationMs": duration = try scanner.optionalNumber()
        case "stackTrace":
          guard try scanner.peek() == .string else { return _ = try scanner.skip() }
          trace = scanner.decode(try scanner.string())
        case "deviceInfo":
          try scanner.optionalObject { scanner, key in
            switch scanner.decode(key) {
            case "model": event.deviceModel = try scanner.optionalText()
            case "osVersion": event.osVersion = try scanner.optionalText()
            case "systemName": event.systemName = try scanner.optionalText()
            default: try scanner.skip()
            }
          }
        case "report":
          guard try scanner.peek() == .object else { return _ = try scanner.skip() }
          report = try ReportReader.read(&scanner)
        default: try scanner.skip()
        }
      }
    }
    guard let kind = named.flatMap(Kind.init(eventType:)) else {
      throw JSONError(offset: 0, message: "this is not the event of a crash, a hang or a handled exception")
    }
    event.kind = kind
    event.report = report ?? CrashReport(stackTrace: trace ?? "", kind: kind)
    if let duration { event.report.durationMs = duration }
    self = event
  }

  /// What ended it or went wrong, in the field's terms: `SIGSEGV`, `NSRangeException`, `PaymentError`.
  package var cause: String {
    let named = report.exception?.type ?? report.signal?.name ?? errorDomain
    switch kind {
    case .hang: return report.isANR || (report.durationMs ?? 0) >= 5000 ? "App not responding" : "Hang"
    case .crash: return named ?? "Crash"
    case .failure: return named ?? "Failure"
    }
  }
}

extension CrashReport {
  /// Reads a stack trace in text: `0  image  0x… symbol + 12` a line, or whatever else stands there.
  init(stackTrace: String, kind: EventReport.Kind) {
    self.init()
    self.kind = kind == .crash ? "signal" : kind.rawValue
    var thread = Thread()
    thread.isCrashed = kind == .crash
    thread.isMain = kind == .hang
    var indices: [String: Int] = [:]
    for line in stackTrace.prefix(1 << 20).split(whereSeparator: \.isNewline).prefix(ReportLimits.framesOfThread) {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count >= 3, Int(words[0]) != nil,
        let at = words.dropFirst(2).firstIndex(where: { $0.hasPrefix("0x") }),
        let address = UInt64(words[at].dropFirst(2), radix: 16)
      else {
        // Not of that form: the line itself says where it was. `3 Cart.total() (Cart.swift:12)` loses its number.
        let text = words.first.flatMap { Int($0) } == nil ? words[...] : words.dropFirst()
        guard !text.isEmpty else { continue }
        thread.frames.append(Frame(symbol: String(text.joined(separator: " ").prefix(ReportLimits.text))))
        continue
      }
      var frame = Frame(address: address)
      let name = words[1..<at].joined(separator: " ")
      if let known = indices[name] {
        frame.image = known
      } else if images.count < ReportLimits.images {
        frame.image = images.count
        indices[name] = images.count
        images.append(Image(name: String(name.prefix(ReportLimits.text))))
      }
      var rest = words[(at + 1)...]
      if rest.count >= 2, rest[rest.endIndex - 2] == "+", let offset = UInt64(rest[rest.endIndex - 1]) {
        rest = rest.dropLast(2)
        // Without a symbol it counts from the image's beginning.
        if rest.isEmpty { frame.offset = offset } else { frame.symbolOffset = offset }
      }
      if !rest.isEmpty { frame.symbol = String(rest.joined(separator: " ").prefix(ReportLimits.text)) }
      thread.frames.append(frame)
    }
    if !thread.frames.isEmpty { threads = [thread] }
  }
}
