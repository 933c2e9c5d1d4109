import AutoMobileSupport
import Foundation

/// The members are those of a `network_request` event; bodies that are no text are in base64, which a member beside them says.
extension HTTPExchange {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    startedAt = members.value("timestamp")
    method = members.value("method")
    url = members.value("url")
    // What was recorded by hand has none.
    id = members.value("requestId") ?? ""
    requestHeaders = members.value("requestHeaders")
    requestBody = Self.body(members, "requestBody", "requestBodySize", "requestBodyEncoding", "requestBodyTruncated")
    statusCode = members.value("statusCode")
    responseHeaders = members.value("responseHeaders")
    responseBody = Self.body(
      members, "responseBody", "responseBodySize", "responseBodyEncoding", "responseBodyTruncated")
    contentType = members.value("contentType")
    durationMs = members.value("durationMs")
    let message: String? = members.value("error")
    error = message.map {
      HTTPFailure(message: $0, domain: members.value("errorDomain"), code: members.value("errorCode"))
    }
    isUnfinished = members.value("unfinished") ?? false
    redirects = members.value("redirects") ?? []
    timings = members.value("timings")
    transport = members.value("transport")
    graphQLOperation = members.value("graphQLOperation")
    tracerId = members.value("tracerId")
    traceparent = members.value("traceparent")
    traceId = members.value("traceId")
    parentSpanId = members.value("parentSpanId")
    mockRule = members.value("mockRule")
    source = members.value("source")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", "network_request")
    members.add("timestamp", startedAt)
    members.add("method", method)
    members.add("url", url)
    members.add("host", host)
    members.add("path", path)
    if !id.isEmpty { members.add("requestId", id) }
    members.add("requestHeaders", requestHeaders)
    Self.add(
      requestBody, to: members, "requestBody", "requestBodySize", "requestBodyEncoding", "requestBodyTruncated")
    members.add("statusCode", statusCode)
    members.add("responseHeaders", responseHeaders)
    Self.add(
      responseBody, to: members, "responseBody", "responseBodySize", "responseBodyEncoding", "responseBodyTruncated")
    members.add("contentType", contentType)
    members.add("durationMs", durationMs.flatMap { $0.isFinite ? $0 : nil })
    members.add("error", error?.message)
    members.add("errorDomain", error?.domain)
    members.add("errorCode", error?.code)
    if isUnfinished { members.add("unfinished", true) }
    if !redirects.isEmpty { members.add("redirects", redirects) }
    members.add("timings", timings)
    members.add("transport", transport)
    members.add("graphQLOperation", graphQLOperation)
    members.add("tracerId", tracerId)
    members.add("traceparent", traceparent)
    members.add("traceId", traceId)
    members.add("parentSpanId", parentSpanId)
    members.add("mockRule", mockRule)
    members.add("source", source)
    try members.end()
  }

  /// Of the URL; nil when it has none.
  public var host: String? { URLComponents(string: url)?.host }
  /// Of the URL, percent-encoded.
  public var path: String? { URLComponents(string: url)?.percentEncodedPath }

  private static func body(
    _ members: MemberReader, _ content: String, _ size: String, _ encoding: String, _ truncated: String
  ) -> HTTPBody? {
    let text: String? = members.value(content)
    let size: Int? = members.value(size)
    guard text != nil || size != nil else { return nil }
    let encoding: String? = members.value(encoding)
    let isBase64 = encoding == "base64"
    let bytes = text.map { isBase64 ? Data(base64Encoded: $0) ?? Data() : Data($0.utf8) }
    var body = HTTPBody(bytes: bytes, size: size ?? bytes?.count ?? 0)
    body.knownTruncation = members.value(truncated)
    return body
  }

  private static func add(
    _ body: HTTPBody?, to members: MemberWriter, _ content: String, _ size: String, _ encoding: String,
    _ truncated: String
  ) {
    guard let body else { return }
    members.add(size, body.size)
    guard let bytes = body.bytes else { return }
    members.add(truncated, body.knownTruncation)
    if let text = body.text {
      members.add(content, text)
    } else {
      members.add(content, bytes.base64EncodedString())
      members.add(encoding, "base64")
    }
  }
}
