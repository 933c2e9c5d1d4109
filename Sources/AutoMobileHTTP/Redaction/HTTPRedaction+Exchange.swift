import Foundation

extension HTTPRedaction {
  /// An exchange without its secrets. The tracer id and the `traceparent`, which are there to be found, stay.
  public func redacted(_ exchange: HTTPExchange) -> HTTPExchange {
    var result = exchange
    result.url = redactedURL(exchange.url)
    result.requestHeaders = exchange.requestHeaders.map(redactedHeaders)
    result.responseHeaders = exchange.responseHeaders.map(redactedHeaders)
    result.requestBody = exchange.requestBody.map {
      redactedBody(
        $0, contentType: exchange.requestHeaders?.value(of: "content-type"),
        contentEncoding: exchange.requestHeaders?.value(of: "content-encoding"))
    }
    result.responseBody = exchange.responseBody.map {
      redactedBody($0, contentType: exchange.contentType ?? exchange.responseHeaders?.value(of: "content-type"))
    }
    result.contentType = exchange.contentType.map(redactedText)
    if let message = exchange.error?.message { result.error?.message = redactedText(message) }
    result.redirects = exchange.redirects.map { redirect in
      var redirect = redirect
      redirect.url = redactedURL(redirect.url)
      redirect.location = redactedURL(redirect.location)
      return redirect
    }
    return result
  }
}

extension [String: String] {
  /// A header's value, whatever the case of its name.
  package func value(of header: String) -> String? {
    self[header] ?? first { $0.key.caseInsensitiveCompare(header) == .orderedSame }?.value
  }
}
