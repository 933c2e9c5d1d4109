import AutoMobileHTTP
import AutoMobileJournal
import Foundation

/// The first bytes of a body that passes, and how many there were.
struct BodyCapture: Sendable {
  let limit: Int
  private(set) var bytes = Data()
  private(set) var size = 0

  init(limit: Int) { self.limit = limit }

  mutating func add(_ data: Data) {
    size = size.adding(saturating: data.count)
    let room = limit - bytes.count
    if room > 0 { bytes.append(data.prefix(room)) }
  }

  /// What was not looked at, but is known to have passed.
  mutating func add(unseen count: Int) { size = size.adding(saturating: max(0, count)) }

  /// At most so many of the bytes; no bytes at all when none were asked for.
  func body(limit: Int) -> HTTPBody {
    HTTPBody(bytes: limit > 0 ? bytes.prefix(limit) : nil, size: size)
  }
}
