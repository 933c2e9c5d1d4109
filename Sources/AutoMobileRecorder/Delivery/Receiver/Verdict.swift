import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// What an answer means for the batch that it answers.
enum Verdict: Equatable {
  /// The receiver has it, but for these events, which it will never take.
  case taken(rejected: [Rejection])
  /// Trouble that may pass.
  case failed(String)
  /// Too many bytes.
  case tooLarge
  /// Something in it is wrong.
  case malformed(String)
  /// The format, or the compression, is not understood.
  case formatUnknown
  /// Repeating it will hardly help: the address or the key is wrong.
  case refused(String)

  struct Rejection: Equatable {
    var position: UInt64
    var reason: String
  }

  /// What a collector says that could not unpack a body: what is in it has nothing to do with that. Something in between may have unpacked
  /// it and left the header as it was.
  private static let unpacking: Set<String> = ["invalid_deflate", "invalid_gzip", "truncated"]

  /// - Parameter compression: of the body that is answered.
  init(_ answer: HTTPAnswer, to batch: DeliveryBatch, _ compression: BodyCompression? = nil) {
    let report = try? JSONDecoder().decode(Report.self, from: answer.body)
    let says = report?.error?.message ?? report?.error?.code ?? "no reason given"
    // A receiver that knows the journal format says so in every answer; another one's opinion of it means nothing.
    let isStranger = batch.format == .journal && !ReceiverOffer(answer).journal
    switch answer.status {
    case 0: self = .failed(answer.failure ?? "no response")
    case 200..<300:
      guard Self.isFromReceiver(answer), report?.ok != false else {
        self = .failed("the response \(answer.status) does not come from a receiver of events")
        return
      }
      self = isStranger ? .formatUnknown : .taken(rejected: report?.rejections(in: batch) ?? [])
    case 300..<400:
      let target = answer[header: "location"] ?? "?"
      self = .refused("the receiver redirects to \(target): set the endpoint to that")
    case 400, 422:
      let isPacked = compression != nil && Self.unpacking.contains(report?.error?.code ?? "")
      self = isStranger || isPacked ? .formatUnknown : .malformed(says)
    case 413: self = isStranger ? .formatUnknown : .tooLarge
    case 415: self = .formatUnknown
    case 401, 403: self = .refused("the receiver wants another API key (\(answer.status)): \(says)")
    case 404: self = .refused("nothing at this address takes events (404): check the endpoint")
    case let status where RetryPolicy.isTransient(status): self = .failed("the receiver answers \(status): \(says)")
    case let status: self = .refused("the receiver answers \(status): \(says)")
    }
  }

  /// Whether a 2xx can be a receiver's. The page with which a hotel's network greets can not.
  ///
  /// Documented receivers answer with JSON; others may answer with nothing or with a line of text.
  private static func isFromReceiver(_ answer: HTTPAnswer) -> Bool {
    guard !answer.body.isEmpty else { return true }
    let type = (answer[header: "content-type"] ?? "").lowercased()
    if type.contains("json") {
      return (try? JSONSerialization.jsonObject(with: answer.body, options: .fragmentsAllowed)) != nil
    }
    guard !type.contains("html"), let text = String(data: answer.body, encoding: .utf8) else { return false }
    return text.first { !$0.isWhitespace } != "<" && !text.unicodeScalars.contains("\0")
  }
}

/// The body of an answer, as far as it matters here. Every member may be missing.
private struct Report: Decodable {
  struct Failure: Decodable {
    var code: String?
    var message: String?

    init(from decoder: any Decoder) throws {
      let members = try MemberReader(decoder)
      code = members.value("code")
      message = members.value("message")
      try members.end()
    }
  }
  struct Rejected: Decodable {
    var sequence: UInt64?
    var index: Int?
    var reason: String?

    init(from decoder: any Decoder) throws {
      let members = try MemberReader(decoder)
      sequence = members.value("sequence")
      index = members.value("index")
      reason = members.value("reason")
      try members.end()
    }
  }

  var ok: Bool?
  var error: Failure?
  var rejected: [Rejected]?

  private enum CodingKeys: CodingKey { case ok, error, rejected }

  /// Members that are not what they should be count as missing.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    ok = try? container.decodeIfPresent(Bool.self, forKey: .ok)
    error = try? container.decodeIfPresent(Failure.self, forKey: .error)
    rejected = try? container.decodeIfPresent([Rejected].self, forKey: .rejected)
  }

  /// The events of the batch that are named, each once.
  func rejections(in batch: DeliveryBatch) -> [Verdict.Rejection] {
    let positions = Set(batch.events.map(\.position))
    var seen: Set<UInt64> = []
    return (rejected ?? []).compactMap { entry in
      let byIndex = entry.index.flatMap { batch.events.indices.contains($0) ? batch.events[$0].position : nil }
      guard let position = entry.sequence ?? byIndex, positions.contains(position),
        seen.insert(position).inserted
      else { return nil }
      return Verdict.Rejection(position: position, reason: entry.reason ?? "no reason given")
    }
  }
}
