import Foundation
import NIOCore
import OpenTelemetryProto
import SwiftProtobuf

/// Reads what a receiver answers, which may be anything.
struct ForwardAnswer {
  let answer: EgressAnswer
  let signal: ForwardSignal
  /// Of the request.
  let records: Int
  /// What a receiver must not have repeated where readers see it.
  let secrets: [String]

  var outcome: ForwardOutcome {
    switch answer.status {
    case 200..<300: acknowledgement
    case 429, 502, 503, 504:
      .later(reason: "the receiver answered \(answer.status)\(words)", after: answer.retryAfter())
    case 413: .tooLarge(reason: "the receiver answered 413: too much at once")
    case 300..<400:
      .blocked(
        reason:
          "the receiver answered \(answer.status), a redirect, which is not followed: set the URL that it leads to")
    case 401, 403, 407:
      .blocked(reason: "the receiver answered \(answer.status)\(words): give other headers, and resume")
    case 404, 405:
      .blocked(reason: "the receiver answered \(answer.status) for \(signal.path): correct the URL, and resume")
    default: .refused(reason: "the receiver answered \(answer.status)\(words)")
    }
  }

  // MARK: 2xx

  /// Whatever answers, a proxy or a login page, says 200: only what the protocol has for an answer is one.
  private var acknowledgement: ForwardOutcome {
    guard answer.isWhole else {
      return .later(reason: "the receiver answered \(answer.status) and more than is read of an answer", after: nil)
    }
    let bytes = [UInt8](answer.body.readableBytesView)
    if bytes.isEmpty { return .accepted(rejected: 0, reason: nil) }
    guard let (rejected, message) = partial(bytes) else {
      let type = answer.headers.first(name: "Content-Type").map { Alert.short($0, 60) } ?? "no Content-Type"
      return .later(
        reason: "the receiver answered \(answer.status) with something else than OTLP's answer (\(type))", after: nil)
    }
    let count = Int(min(max(rejected, 0), Int64(records)))
    let said = message.isEmpty ? nil : cleaned(message)
    return .accepted(rejected: count, reason: count > 0 ? said ?? "the receiver gave no reason" : said)
  }

  private func partial(_ bytes: [UInt8]) -> (Int64, String)? {
    switch signal {
    case .logs:
      read(OTLP.LogsResponse.self, bytes).map { ($0.partialSuccess.rejectedLogRecords, $0.partialSuccess.errorMessage) }
    case .traces:
      read(OTLP.TraceResponse.self, bytes).map { ($0.partialSuccess.rejectedSpans, $0.partialSuccess.errorMessage) }
    }
  }

  /// By what it says it is, or by what it is: some answer in JSON to everything.
  private func read<M: Message>(_ type: M.Type, _ bytes: [UInt8]) -> M? {
    let said = answer.headers.first(name: "Content-Type")?.lowercased() ?? ""
    if said.contains("html") { return nil }
    if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") {
      var options = JSONDecodingOptions()
      options.ignoreUnknownFields = true
      options.messageDepthLimit = 16
      if let message = try? M(jsonUTF8Bytes: bytes, options: options) { return message }
    }
    guard !said.contains("json") else { return nil }
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 16
    return try? M(serializedBytes: bytes, options: options)
  }

  // MARK: Words

  /// What a receiver says of an error: a `google.rpc.Status`, or a line of text.
  private var words: String {
    let bytes = [UInt8](answer.body.readableBytesView)
    guard !bytes.isEmpty else { return "" }
    let type = answer.headers.first(name: "Content-Type")?.lowercased() ?? ""
    var text = String(decoding: bytes.prefix(2000), as: UTF8.self)
    if type.contains("protobuf") {
      guard let status = try? Google_Rpc_Status(serializedBytes: bytes) else { return "" }
      text = status.message
    } else if type.contains("json"),
      let message = bytes.withUnsafeBytes({ try? JSONTree(checking: $0, maximumDepth: 16) })?["message"]?.string
    {
      text = message
    } else if type.contains("html") {
      return ""
    }
    let short = cleaned(text)
    return short.isEmpty ? "" : ": \(short)"
  }

  private func cleaned(_ text: String) -> String {
    // Cut first: what is replaced in must not be as long as they like.
    let head = String(text.prefix(4000))
    // By bytes: an accent behind a secret would make another character of its last one.
    let free = secrets.reduce(head) {
      String(decoding: Array($0.utf8).replacing(Array($1.utf8), with: Array("…".utf8)), as: UTF8.self)
    }
    return Alert.short(free, 200).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
