import AutoMobileHTTP
import AutoMobileSupport
import Foundation

/// So that nothing that a server or an app says makes an event too large to be recorded, also when each byte becomes an
/// escape of six in JSON.
extension HTTPExchange {
  private static let longestURL = 8 << 10
  private static let longestError = 4 << 10
  /// Of each direction, names and values together.
  private static let longestHeaders = 20 << 10
  /// All together.
  private static let longestRedirects = 16 << 10

  mutating func limitTexts() {
    url = url.limited(to: Self.longestURL)
    method = method.limited(to: 64)
    contentType = contentType?.limited(to: 512)
    tracerId = tracerId?.limited(to: 256)
    traceparent = traceparent?.limited(to: 256)
    if let message = error?.message { error?.message = message.limited(to: Self.longestError) }
    requestHeaders = requestHeaders.map(Self.limited)
    responseHeaders = responseHeaders.map(Self.limited)
    var left = Self.longestRedirects
    redirects = redirects.prefix(64).compactMap { redirect in
      guard left > 0 else { return nil }
      var redirect = redirect
      redirect.url = redirect.url.limited(to: min(left, Self.longestURL))
      left -= redirect.url.utf8.count
      redirect.location = redirect.location.limited(to: min(left, Self.longestURL))
      left -= redirect.location.utf8.count
      return redirect
    }
  }

  /// The longest are left out first.
  private static func limited(_ headers: [String: String]) -> [String: String] {
    func size(_ header: (key: String, value: String)) -> Int { header.key.utf8.count + header.value.utf8.count }
    guard headers.reduce(0, { $0 + size($1) }) > longestHeaders else { return headers }
    var left = longestHeaders
    return headers.ordered { (size($0), $0.key) < (size($1), $1.key) }.reduce(into: [:]) { kept, header in
      left -= size(header)
      if left > 0 { kept[header.key] = header.value }
    }
  }
}

extension HTTPBody {
  /// Keeps the first bytes; of none, only the size.
  mutating func limit(to count: Int) {
    guard let bytes else { return }
    if count == 0 {
      self = HTTPBody(bytes: nil, size: size)
    } else if bytes.count > count {
      self.bytes = Data(bytes.prefix(count))
      knownTruncation = count < size ? nil : true
    }
  }
}
