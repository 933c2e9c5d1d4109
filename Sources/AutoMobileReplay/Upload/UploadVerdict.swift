import AutoMobileRecorder
import Foundation

/// What an answer means for what is uploaded, at every step alike.
enum UploadVerdict: Sendable, Equatable {
  case ok
  /// 429, and 503 that says so: not before so many milliseconds.
  case wait(Int64)
  /// 408, 5xx, and no answer: later.
  case later
  /// 402: no frames of this session now.
  case quota
  /// 401, 403: nothing of this device now.
  case denied
  /// 409: the session is closed.
  case closed
  /// 404: what is meant has to be made known first.
  case unknown(byCollector: Bool)
  /// 413.
  case tooLarge
  /// The collector will never take this one, and says why.
  case rejected
  /// What answers does not speak as a collector does: a network's greeting page, a proxy, an address that moved. It says nothing about
  /// what is uploaded.
  case stranger

  /// - Parameter isOwn: whether a success is told in our JSON; what takes a segment's body may be somebody else's store, and say nothing.
  init(_ answer: HTTPAnswer, now: Int64, isOwn: Bool = true) {
    let code = (answer.json["error"] as? [String: Any])?["code"] as? String
    switch answer.status {
    case 200..<300: self = answer.isSuccess(isOwn: isOwn) ? .ok : .stranger
    case 402: self = .quota
    case 403 where code == Self.otherReplay: self = .rejected
    case 401, 403: self = .denied
    case 404: self = .unknown(byCollector: code != nil)
    case 409: self = .closed
    case 413: self = .tooLarge
    case 429: self = .wait(max(1000, answer.retryAfter(now: now) ?? 5000))
    case 503:
      // As RFC 9110 has it: the time after which the service is expected to be there again.
      self = answer.retryAfter(now: now).map { .wait(max(1000, $0)) } ?? .later
    case 0, 408, 500...599: self = .later
    case 400..<500 where code != nil: self = .rejected
    default: self = .stranger
    }
  }

  /// A 403 that is about one segment, and not about who sends it.
  private static let otherReplay = "wrong_replay"
}

extension HTTPAnswer {
  fileprivate func isSuccess(isOwn: Bool) -> Bool {
    // The credential that the request needs may have been refused by a page that says 200.
    guard failure == nil else { return false }
    if isOwn { return (try? JSONSerialization.jsonObject(with: body)) is [String: Any] && json["ok"] as? Bool != false }
    let isPage = (self[header: "content-type"] ?? "").lowercased().contains("html")
    return !isPage && body.first { !$0.isWhitespace } != UInt8(ascii: "<")
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
