import Foundation

/// The names that rows stand for.
struct LogNames {
  var hosts = Names()
  var methods = Names()
}

extension LogRow {
  /// Nil when the record is no exchange.
  ///
  /// - Parameters:
  ///   - payload: where the record's payload is in the segment.
  ///   - bytes: the payload.
  ///   - text: the segment's text, to which the row's is added.
  init?(
    position: UInt64, payload: Range<Int>, _ bytes: UnsafeRawBufferPointer, text: inout [UInt8], names: inout LogNames
  ) {
    self.position = position
    self.payload = Part(payload)
    var members = JSONMembers(bytes)
    var (url, tracer, operation, error, id) = (0..<0, 0..<0, 0..<0, 0..<0, 0..<0)
    var hasTime = false
    while let member = members.next() {
      let value = UnsafeRawBufferPointer(rebasing: bytes[member.value])
      switch Self.member(UnsafeRawBufferPointer(rebasing: bytes[member.name])) {
      case .timestamp:
        startedAt = Self.integer(value) ?? 0
        hasTime = true
      case .url: url = member.value
      case .method: method = names.methods.id(Self.string(value))
      case .host: host = names.hosts.id(Self.string(value).lowercased())
      case .statusCode: status = UInt16(clamping: Self.integer(value) ?? 0)
      case .durationMs: duration = Float(String(decoding: value, as: UTF8.self)) ?? .nan
      case .error:
        error = member.value
        flags.insert(.failed)
      case .mockRule: flags.insert(.mocked)
      case .unfinished: if value.elementsEqual("true".utf8) { flags.insert(.unfinished) }
      case .errorCode: if Self.integer(value) == -999 { flags.insert(.cancelled) }
      case .requestHeaders: requestHeaders = Part(member.value)
      case .responseHeaders: responseHeaders = Part(member.value)
      case .requestBody: requestBody = Part(member.value)
      case .responseBody: responseBody = Part(member.value)
      case .requestBodySize: requestSize = UInt32(clamping: Self.integer(value) ?? 0)
      case .responseBodySize: responseSize = UInt32(clamping: Self.integer(value) ?? 0)
      case .tracerId: tracer = member.value
      case .graphQLOperation: operation = member.value
      case .requestId: id = member.value
      case nil: break
      }
    }
    guard hasTime else { return nil }
    let start = text.count
    for range in [url, tracer, operation, error, id] {
      text.append(contentsOf: bytes[range].lazy.map(FoldedText.fold))
      text.append(0x0A)
    }
    self.text = Part(start..<text.count)
    urlLength = UInt32(clamping: url.count)
    tracerLength = UInt32(clamping: tracer.count)
  }

  private enum Member: String, CaseIterable {
    case timestamp, url, method, host, statusCode, durationMs, error, errorCode, mockRule, requestHeaders
    case responseHeaders, requestBody, responseBody, requestBodySize, responseBodySize, tracerId, graphQLOperation
    case requestId, unfinished
  }

  private static let membersByLength = Dictionary(grouping: Member.allCases) { $0.rawValue.utf8.count }
    .mapValues { $0.map { (Array($0.rawValue.utf8), $0) } }

  private static func member(_ name: UnsafeRawBufferPointer) -> Member? {
    membersByLength[name.count]?.first { name.elementsEqual($0.0) }?.1
  }

  private static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    Int64(String(decoding: digits, as: UTF8.self))
  }

  /// Of what is between the quotes of a JSON string.
  private static func string(_ value: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: value, as: UTF8.self)
    guard value.contains(UInt8(ascii: "\\")) else { return text }
    return (try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))) ?? text
  }
}
