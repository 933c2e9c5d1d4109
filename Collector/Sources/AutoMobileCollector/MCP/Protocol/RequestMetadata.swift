import Foundation

/// What an HTTP request says of the message in it, so that proxies need not read bodies.
struct MCPHeaders: Sendable {
  /// `MCP-Protocol-Version`
  var version: String?
  /// `Mcp-Method`
  var method: String?
  /// `Mcp-Name`: of a tool, a prompt, a resource.
  var name: String?
}

/// Which revision a request is of. Those without a handshake say it themselves, and a header must say the same.
enum RequestMetadata {
  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
  /// By method, which parameter the header `Mcp-Name` repeats.
  private static let named = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"]

  /// - Parameters:
  ///   - headers: nil where there are none, as over stdio.
  ///   - agreed: what a handshake over this stream has agreed on.
  /// - Throws: ``RPCError`` that says what the client has to change.
  static func version(
    of message: RPCMessage, _ headers: MCPHeaders?, agreed: ProtocolVersion?
  ) throws(RPCError) -> ProtocolVersion {
    let metadata = message.params["_meta"]
    guard let said = metadata?[versionKey] else {
      // The last one to look at is the header: a request of the newest revision without its metadata is malformed.
      guard let header = headers?.version else { return agreed ?? .unsaid }
      guard let version = ProtocolVersion(rawValue: header) else { throw unsupported(.string(header)) }
      guard !version.isStateless else { throw missing(versionKey) }
      return version
    }
    guard metadata?[capabilitiesKey] != nil else { throw missing(capabilitiesKey) }
    if let headers { try check(headers, message, said) }
    guard let text = said.string else { throw RPCError(.invalidParams, "\(versionKey) must be a string") }
    guard let version = ProtocolVersion(rawValue: text), version.isStateless else { throw unsupported(said) }
    return version
  }

  private static func check(
    _ headers: MCPHeaders, _ message: RPCMessage, _ version: JSONTree
  ) throws(RPCError) {
    guard headers.version != nil, headers.version == version.string else { throw mismatch("MCP-Protocol-Version") }
    // A notification has no answer that a proxy would have to route.
    guard message.id != nil || headers.method != nil else { return }
    guard headers.method == message.method else { throw mismatch("Mcp-Method") }
    guard let parameter = named[message.method], let name = message.params[parameter]?.string else { return }
    guard headers.name.flatMap(decoded) == name else { throw mismatch("Mcp-Name") }
  }

  /// What cannot stand in a header comes as `=?base64?…?=`.
  private static func decoded(_ value: String) -> String? {
    let (opening, closing) = ("=?base64?", "?=")
    guard value.hasPrefix(opening), value.hasSuffix(closing),
      value.utf8.count >= opening.utf8.count + closing.utf8.count
    else { return value }
    let text = value.dropFirst(opening.count).dropLast(closing.count)
    return Data(base64Encoded: String(text)).flatMap { String(data: $0, encoding: .utf8) }
  }

  private static func missing(_ key: String) -> RPCError {
    RPCError(.invalidParams, "params._meta must have \"\(key)\"")
  }

  private static func mismatch(_ header: String) -> RPCError {
    RPCError(.headerMismatch, "the header \(header) is missing, or says something else than the message")
  }

  private static func unsupported(_ version: JSONTree) -> RPCError {
    RPCError(
      .unsupportedVersion, "Unsupported protocol version",
      data: ["supported": ProtocolVersion.names, "requested": version])
  }
}
