import Foundation

/// The members are those of a `network_request` event; bodies that are no text are in base64, which a member beside them says.
extension HTTPExchange {
  private enum Key: String, CodingKey {
    case type = "eventType"
    case id = "requestId"
    case startedAt = "timestamp"
    case method, url, host, path, requestHeaders, statusCode, responseHeaders, contentType, durationMs
    case requestBody, requestBodySize, requestBodyEncoding, requestBodyTruncated
    case responseBody, responseBodySize, responseBodyEncoding, responseBodyTruncated
    case error, errorDomain, errorCode, unfinished
    case redirects, timings, transport, graphQLOperation, tracerId, traceparent, mockRule, source
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    startedAt = try members.decode(Int64.self, forKey: .startedAt)
    method = try members.decode(String.self, forKey: .method)
    url = try members.decode(String.self, forKey: .url)
    // What was recorded by hand has none.
    id = try members.decodeIfPresent(String.self, forKey: .id) ?? ""
    requestHeaders = try members.decodeIfPresent([String: String].self, forKey: .requestHeaders)
    requestBody = try Self.body(members, .requestBody, .requestBodySize, .requestBodyEncoding, .requestBodyTruncated)
    statusCode = try members.decodeIfPresent(Int.self, forKey: .statusCode)
    responseHeaders = try members.decodeIfPresent([String: String].self, forKey: .responseHeaders)
    responseBody = try Self.body(
      members, .responseBody, .responseBodySize, .responseBodyEncoding, .responseBodyTruncated)
    contentType = try members.decodeIfPresent(String.self, forKey: .contentType)
    durationMs = try members.decodeIfPresent(Double.self, forKey: .durationMs)
    error = try members.decodeIfPresent(String.self, forKey: .error).map {
      HTTPFailure(
        message: $0, domain: try members.decodeIfPresent(String.self, forKey: .errorDomain),
        code: try members.decodeIfPresent(Int.self, forKey: .errorCode))
    }
    isUnfinished = try members.decodeIfPresent(Bool.self, forKey: .unfinished) ?? false
    redirects = try members.decodeIfPresent([HTTPRedirect].self, forKey: .redirects) ?? []
    timings = try members.decodeIfPresent(HTTPTimings.self, forKey: .timings)
    transport = try members.decodeIfPresent(HTTPTransport.self, forKey: .transport)
    graphQLOperation = try members.decodeIfPresent(String.self, forKey: .graphQLOperation)
    tracerId = try members.decodeIfPresent(String.self, forKey: .tracerId)
    traceparent = try members.decodeIfPresent(String.self, forKey: .traceparent)
    mockRule = try members.decodeIfPresent(String.self, forKey: .mockRule)
    source = try members.decodeIfPresent(String.self, forKey: .source)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode("network_request", forKey: .type)
    try members.encode(startedAt, forKey: .startedAt)
    try members.encode(method, forKey: .method)
    try members.encode(url, forKey: .url)
    try members.encodeIfPresent(host, forKey: .host)
    try members.encodeIfPresent(path, forKey: .path)
    if !id.isEmpty { try members.encode(id, forKey: .id) }
    try members.encodeIfPresent(requestHeaders, forKey: .requestHeaders)
    try Self.encode(requestBody, &members, .requestBody, .requestBodySize, .requestBodyEncoding, .requestBodyTruncated)
    try members.encodeIfPresent(statusCode, forKey: .statusCode)
    try members.encodeIfPresent(responseHeaders, forKey: .responseHeaders)
    try Self.encode(
      responseBody, &members, .responseBody, .responseBodySize, .responseBodyEncoding, .responseBodyTruncated)
    try members.encodeIfPresent(contentType, forKey: .contentType)
    try members.encodeIfPresent(durationMs.flatMap { $0.isFinite ? $0 : nil }, forKey: .durationMs)
    try members.encodeIfPresent(error?.message, forKey: .error)
    try members.encodeIfPresent(error?.domain, forKey: .errorDomain)
    try members.encodeIfPresent(error?.code, forKey: .errorCode)
    if isUnfinished { try members.encode(true, forKey: .unfinished) }
    if !redirects.isEmpty { try members.encode(redirects, forKey: .redirects) }
    try members.encodeIfPresent(timings, forKey: .timings)
    try members.encodeIfPresent(transport, forKey: .transport)
    try members.encodeIfPresent(graphQLOperation, forKey: .graphQLOperation)
    try members.encodeIfPresent(tracerId, forKey: .tracerId)
    try members.encodeIfPresent(traceparent, forKey: .traceparent)
    try members.encodeIfPresent(mockRule, forKey: .mockRule)
    try members.encodeIfPresent(source, forKey: .source)
  }

  /// Of the URL; nil when it has none.
  public var host: String? { URLComponents(string: url)?.host }
  /// Of the URL, percent-encoded.
  public var path: String? { URLComponents(string: url)?.percentEncodedPath }

  private static func body(
    _ members: KeyedDecodingContainer<Key>, _ content: Key, _ size: Key, _ encoding: Key,
    _ truncated: Key
  ) throws -> HTTPBody? {
    let text = try members.decodeIfPresent(String.self, forKey: content)
    let size = try members.decodeIfPresent(Int.self, forKey: size)
    guard text != nil || size != nil else { return nil }
    let isBase64 = try members.decodeIfPresent(String.self, forKey: encoding) == "base64"
    let bytes = text.map { isBase64 ? Data(base64Encoded: $0) ?? Data() : Data($0.utf8) }
    var body = HTTPBody(bytes: bytes, size: size ?? bytes?.count ?? 0)
    body.knownTruncation = try members.decodeIfPresent(Bool.self, forKey: truncated)
    return body
  }

  private static func encode(
    _ body: HTTPBody?, _ members: inout KeyedEncodingContainer<Key>, _ content: Key, _ size: Key, _ encoding: Key,
    _ truncated: Key
  ) throws {
    guard let body else { return }
    try members.encode(body.size, forKey: size)
    guard let bytes = body.bytes else { return }
    try members.encodeIfPresent(body.knownTruncation, forKey: truncated)
    if let text = body.text {
      try members.encode(text, forKey: content)
    } else {
      try members.encode(bytes.base64EncodedString(), forKey: content)
      try members.encode("base64", forKey: encoding)
    }
  }
}
