import AutoMobileHTTP
import AutoMobileSupport
import Foundation

/// Where something was taken out of an exchange before it was recorded.
enum RedactionMark {
  /// In words, for people: header names, names of query values, `body`.
  static func places(in exchange: HTTPExchange) -> [String] {
    var places = (exchange.requestHeaders ?? [:]).filter { isMarked($0.value) && HTTPToken.isValid($0.key) }
      .map { "header \($0.key)" }.ordered()
    if isMarked(exchange.url) { places.append("URL") }
    if let body = exchange.requestBody?.text, isMarked(body) { places.append("body") }
    return places
  }

  private static func isMarked(_ value: String) -> Bool {
    value.contains(HTTPRedaction.mark)
  }
}
