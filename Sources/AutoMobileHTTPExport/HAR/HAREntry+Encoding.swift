import AutoMobileSupport

// By hand, and as the compiler would do it: see `MemberWriter`.

extension HAREntry {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("startedDateTime", startedDateTime)
    members.add("time", time)
    members.add("request", request)
    members.add("response", response)
    members.add("cache", cache)
    members.add("timings", timings)
    members.add("serverIPAddress", serverIPAddress)
    members.add("comment", comment)
    members.add("_resourceType", _resourceType)
    members.add("_webSocketMessages", _webSocketMessages)
    members.add("_requestId", _requestId)
    members.add("_errorDomain", _errorDomain)
    members.add("_errorCode", _errorCode)
    members.add("_graphQLOperation", _graphQLOperation)
    members.add("_tracerId", _tracerId)
    members.add("_traceparent", _traceparent)
    members.add("_mocked", _mocked)
    members.add("_mockRule", _mockRule)
    members.add("_isCached", _isCached)
    members.add("_isReused", _isReused)
    members.add("_isProxied", _isProxied)
    members.add("_tlsVersion", _tlsVersion)
    members.add("_source", _source)
    try members.end()
  }
}

extension HAREntry.NameValue {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("value", value)
    try members.end()
  }
}

extension HAREntry.Cookie {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("value", value)
    members.add("path", path)
    members.add("domain", domain)
    members.add("expires", expires)
    members.add("httpOnly", httpOnly)
    members.add("secure", secure)
    members.add("_sameSite", _sameSite)
    try members.end()
  }
}

extension HAREntry.Request {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("method", method)
    members.add("url", url)
    members.add("httpVersion", httpVersion)
    members.add("cookies", cookies)
    members.add("headers", headers)
    members.add("queryString", queryString)
    members.add("postData", postData)
    members.add("headersSize", headersSize)
    members.add("bodySize", bodySize)
    members.add("comment", comment)
    try members.end()
  }
}

extension HAREntry.PostData {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("mimeType", mimeType)
    members.add("params", params)
    members.add("text", text)
    members.add("_encoding", _encoding)
    members.add("comment", comment)
    try members.end()
  }
}

extension HAREntry.PostData.Parameter {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("value", value)
    members.add("fileName", fileName)
    members.add("contentType", contentType)
    try members.end()
  }
}

extension HAREntry.Response {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("status", status)
    members.add("statusText", statusText)
    members.add("httpVersion", httpVersion)
    members.add("cookies", cookies)
    members.add("headers", headers)
    members.add("content", content)
    members.add("redirectURL", redirectURL)
    members.add("headersSize", headersSize)
    members.add("bodySize", bodySize)
    members.add("_transferSize", _transferSize)
    members.add("_error", _error)
    members.add("comment", comment)
    try members.end()
  }
}

extension HAREntry.Content {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("size", size)
    members.add("mimeType", mimeType)
    members.add("text", text)
    members.add("encoding", encoding)
    members.add("comment", comment)
    try members.end()
  }
}

extension HAREntry.WebSocketMessage {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("type", type)
    members.add("time", time)
    members.add("opcode", opcode)
    members.add("data", data)
    try members.end()
  }
}
