import AutoMobileHTTP
import AutoMobileSupport
import Foundation

extension LogIndex {
  /// The recorded exchange. Nil when it has gone meanwhile, or cannot be decoded, as a later version may have written it.
  func exchange(_ row: LogRow, in segment: LogSegment) -> HTTPExchange? {
    cache.withPayload(row.payload, in: segment) { bytes in
      guard var exchange = try? JSONDecoder().decode(HTTPExchange.self, from: Data(bytes)) else { return nil }
      exchange.isUnfinished = row.flags.contains(.unfinished)
      return exchange
    } ?? nil
  }

  /// Without the bytes of the bodies: they are most of a record, and take most of the time.
  func summary(_ row: LogRow, in segment: LogSegment) -> HTTPExchange? {
    cache.withPayload(row.payload, in: segment) { bytes in
      let bodies = [row.requestBody, row.responseBody].filter { $0.length > 0 }.ordered { $0.offset < $1.offset }
      var json = Data()
      var start = 0
      for body in bodies where body.range.lowerBound >= start && body.range.upperBound <= bytes.count {
        json.append(contentsOf: bytes[start..<body.range.lowerBound])
        start = body.range.upperBound
      }
      json.append(contentsOf: bytes[start...])
      guard var exchange = try? JSONDecoder().decode(HTTPExchange.self, from: json) else { return nil }
      exchange.isUnfinished = row.flags.contains(.unfinished)
      exchange.requestBody?.bytes = nil
      exchange.responseBody?.bytes = nil
      return exchange
    } ?? nil
  }
}
