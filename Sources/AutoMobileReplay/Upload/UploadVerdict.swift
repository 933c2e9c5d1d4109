import AutoMobileRecorder

/// What an answer means for what is uploaded, at every step alike.
enum UploadVerdict: Sendable, Equatable {
  case ok
  /// 429, and 503 that says so: not before so many milliseconds.
  case wait(Int64)
  /// 408, 5xx, and no answer: later.
  case later
  /// 402: no frames of this session any more.
  case quota
  /// 401, 403: nothing of this device.
  case denied
  /// 409: the session is closed.
  case closed
  /// 404: what is meant has to be made known first.
  case unknown
  /// 413.
  case tooLarge
  /// The collector will never take this one.
  case rejected

  init(_ answer: HTTPAnswer, now: Int64) {
    switch answer.status {
    case 200..<300: self = .ok
    case 402: self = .quota
    case 401, 403: self = .denied
    case 404: self = .unknown
    case 409: self = .closed
    case 413: self = .tooLarge
    case 429: self = .wait(max(1000, answer.retryAfter(now: now) ?? 5000))
    case 503:
      // As RFC 9110 has it: the time after which the service is expected to be there again.
      self = answer.retryAfter(now: now).map { .wait(max(1000, $0)) } ?? .later
    case 0, 408, 500...599: self = .later
    default: self = .rejected
    }
  }
}
