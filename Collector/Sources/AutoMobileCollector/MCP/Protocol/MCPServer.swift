import Foundation
import NIOCore

/// The Model Context Protocol, apart from how messages come and go: takes one message, gives one answer.
///
/// It remembers nothing between messages. What one needs comes with it, or with the stream that it came over.
package struct MCPServer: Sendable {
  /// What the transport knows of a message.
  package struct Arrival: Sendable {
    var headers: MCPHeaders?
    /// Over a stream: what its handshake has agreed on.
    var agreed: ProtocolVersion?

    /// Over a stream, before anything was agreed on.
    package init() {}

    init(headers: MCPHeaders) { self.headers = headers }
  }

  package struct Reply: Sendable {
    /// Of an HTTP answer: 200, 202 for what has no answer, 400, 404.
    package var status: Int
    /// Nil when there is no answer.
    fileprivate var tree: JSONTree?
    /// The same as one line of JSON.
    package var body: ByteBuffer? { tree.map { ByteBuffer(string: $0.text) } }
    /// What a handshake in it has agreed on.
    var agreed: ProtocolVersion?
  }

  static let longestBatch = 20
  static let maximumDepth = 32

  let api: AskedAPI
  let hasCommands: Bool

  /// - Parameters:
  ///   - questions: reads, and does, what whoever calls may.
  ///   - viewer: where moments can be looked at; nil when there is no viewer.
  ///   - hasCommands: tools that reach into running debug builds are offered.
  package init(questions: any Questions, viewer: ViewerAddress?, hasCommands: Bool) {
    api = AskedAPI(questions: questions, viewer: viewer)
    self.hasCommands = hasCommands
  }

  package func answer(_ message: ByteBuffer, _ arrival: Arrival) async -> Reply {
    let tree: JSONTree
    do {
      tree = try message.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: Self.maximumDepth) }
    } catch {
      return Reply(.parse, RPCError(.parse, "this is not JSON: \(error)"))
    }
    guard case .array(let batch) = tree else { return await answer(tree, arrival) }
    let version = arrival.agreed ?? arrival.headers?.version.flatMap(ProtocolVersion.init) ?? .unsaid
    guard version.takesBatches, (1...Self.longestBatch).contains(batch.count) else {
      return Reply(
        .invalidRequest,
        .invalid("send one message at a time; 2025-03-26 alone knows batches, of 1 to \(Self.longestBatch) here"))
    }
    var answers: [JSONTree] = []
    for each in batch {
      if let text = await answer(each, arrival).tree { answers.append(text) }
    }
    return answers.isEmpty ? Reply(status: 202) : Reply(status: 200, tree: .array(answers))
  }

  private func answer(_ tree: JSONTree, _ arrival: Arrival) async -> Reply {
    var id: RPCID?
    // Errors of revisions with a handshake are answers like others; the newest has a status for each.
    var isStateless = arrival.headers?.version == ProtocolVersion.july2026.rawValue
    var isNotification = false
    do {
      let message = try RPCMessage(tree)
      id = message.id
      isNotification = id == nil
      isStateless = isStateless || message.params["_meta"]?["io.modelcontextprotocol/protocolVersion"] != nil
      let version = try RequestMetadata.version(of: message, arrival.headers, agreed: arrival.agreed)
      isStateless = version.isStateless
      guard let id else { return Reply(status: 202) }
      if message.method == "initialize" { return handshake(message, id) }
      let result = try await result(of: message, version)
      return Reply(status: 200, tree: ["jsonrpc": "2.0", "id": id.json, "result": result])
    } catch let error as RPCError {
      // Over a stream nobody hears of a notification; over HTTP its status says that it was not taken.
      if isNotification, arrival.headers == nil { return Reply(status: 202) }
      let always = [.parse, .invalidRequest, .unsupportedVersion, .headerMismatch].contains(error.code)
      let status = isStateless || always ? error.code.status : 200
      return Reply(status: status, tree: error.answer(to: id))
    } catch {
      return Reply(status: 200, tree: RPCError(.internal, "the collector failed").answer(to: id))
    }
  }

  private func handshake(_ message: RPCMessage, _ id: RPCID) -> Reply {
    let asked = message.params["protocolVersion"]?.string.flatMap(ProtocolVersion.init)
    let version = asked.flatMap { $0.isStateless ? nil : $0 } ?? .newestWithHandshake
    let result: JSONTree = [
      "protocolVersion": .string(version.rawValue), "capabilities": Self.capabilities, "serverInfo": Self.info,
      "instructions": .string(instructions),
    ]
    return Reply(
      status: 200, tree: ["jsonrpc": "2.0", "id": id.json, "result": result], agreed: version)
  }

  // MARK: Methods

  static let info: JSONTree = [
    "name": "automobile", "title": "AutoMobile", "version": .string(Collector.version),
  ]
  /// Nothing is told unasked: there are no subscriptions.
  static let capabilities: JSONTree = ["tools": [:], "resources": [:], "prompts": [:]]

  private func result(of message: RPCMessage, _ version: ProtocolVersion) async throws -> JSONTree {
    let params = message.params
    switch message.method {
    case "server/discover" where version.isStateless:
      return complete(
        [
          "supportedVersions": ProtocolVersion.names, "capabilities": Self.capabilities,
          "instructions": .string(instructions),
        ], version, keepsFor: 60_000)
    case "ping" where !version.isStateless: return [:]
    case "tools/list":
      return complete(["tools": .array(tools.map(\.definition))], version, keepsFor: 60_000)
    case "tools/call": return complete(try await call(params), version)
    case "resources/list": return complete(try await MCPResources(api: api).list(params), version, keepsFor: 0)
    case "resources/templates/list":
      return complete(["resourceTemplates": .array(MCPResources.templates)], version, keepsFor: 60_000)
    case "resources/read": return complete(try await MCPResources(api: api).read(params, version), version, keepsFor: 0)
    case "prompts/list":
      return complete(["prompts": .array(MCPPrompt.all.map(\.definition))], version, keepsFor: 60_000)
    case "prompts/get": return complete(try MCPPrompt.get(params), version)
    default: throw RPCError(.methodNotFound, "there is no such method here")
    }
  }

  var tools: [Tool] { Toolbox.tools(withCommands: hasCommands) }

  private func call(_ params: JSONTree) async throws -> JSONTree {
    guard let name = params["name"]?.string, let tool = tools.first(where: { $0.name == name }) else {
      throw RPCError(.invalidParams, "there is no such tool; there is: \(tools.map(\.name).joined(separator: ", "))")
    }
    return await tool.answer(params["arguments"].flatMap { $0.isNull ? nil : $0 } ?? [:], api).result
  }

  /// What the newest revision has in each result. Nobody may keep answers for others, since keys decide what is in them.
  private func complete(_ result: JSONTree, _ version: ProtocolVersion, keepsFor milliseconds: Int64? = nil) -> JSONTree
  {
    guard version.isStateless else { return result }
    var members = result.members
    members["resultType"] = "complete"
    members["_meta"] = ["io.modelcontextprotocol/serverInfo": Self.info]
    if let milliseconds {
      members["ttlMs"] = .integer(milliseconds)
      members["cacheScope"] = "private"
    }
    return .object(members)
  }
}

extension MCPServer.Reply {
  fileprivate init(_ code: RPCError.Code, _ error: RPCError) {
    self.init(status: code.status, tree: error.answer(to: nil))
  }
}
