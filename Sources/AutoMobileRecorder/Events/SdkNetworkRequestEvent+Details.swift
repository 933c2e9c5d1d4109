import AutoMobileHTTP

/// What is known of a request that was intercepted, beyond what an app records by hand.
extension SdkNetworkRequestEvent {
  func encodeDetails(into json: inout EventJSONWriter) {
    json.add("requestBodyEncoding", requestBodyEncoding)
    json.member("requestBodyTruncated", requestBodyTruncated)
    json.add("responseBodyEncoding", responseBodyEncoding)
    json.member("responseBodyTruncated", responseBodyTruncated)
    json.add("errorDomain", errorDomain)
    json.add("errorCode", errorCode)
    json.member("unfinished", unfinished)
    if let redirects {
      json.objects("redirects", redirects) { redirect, json in
        json.add("statusCode", redirect.statusCode)
        json.add("url", redirect.url)
        json.add("location", redirect.location)
        json.member("atMs", redirect.atMs)
      }
    }
    if let timings { json.object("timings") { timings.encodeFields(into: &$0) } }
    if let transport { json.object("transport") { transport.encodeFields(into: &$0) } }
    json.add("graphQLOperation", graphQLOperation)
    json.add("tracerId", tracerId)
    json.add("traceparent", traceparent)
    json.add("traceId", traceId)
    json.add("parentSpanId", parentSpanId)
    json.add("mockRule", mockRule)
    json.add("source", source)
  }
}

extension HTTPTimings {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.member("domainLookupStart", domainLookupStart)
    json.member("domainLookupEnd", domainLookupEnd)
    json.member("connectStart", connectStart)
    json.member("secureConnectionStart", secureConnectionStart)
    json.member("secureConnectionEnd", secureConnectionEnd)
    json.member("connectEnd", connectEnd)
    json.member("requestStart", requestStart)
    json.member("requestEnd", requestEnd)
    json.member("responseStart", responseStart)
    json.member("responseEnd", responseEnd)
  }
}

extension HTTPTransport {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.add("protocolName", protocolName)
    json.member("isReused", isReused)
    json.member("isProxied", isProxied)
    json.member("isCached", isCached)
    json.add("remoteAddress", remoteAddress)
    json.add("tlsVersion", tlsVersion)
    json.add("bytesSent", bytesSent)
    json.add("bytesReceived", bytesReceived)
  }
}

/// A body, or a frame's payload, as it stands in an event.
struct RecordedBody {
  var text: String?
  /// `base64` when the bytes are no UTF-8.
  var encoding: String?
  var size: Int?
  /// Nil when the size tells it.
  var isTruncated: Bool?

  init(_ body: HTTPBody?) {
    guard let body else { return }
    size = body.size
    guard let bytes = body.bytes else { return }
    isTruncated = body.knownTruncation
    text = body.text
    if text == nil {
      text = bytes.base64EncodedString()
      encoding = "base64"
    }
  }
}
