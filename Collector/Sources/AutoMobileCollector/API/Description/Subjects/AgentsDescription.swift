extension APIDescription {
  static let agents = Subject(
    name: "agents", about: "The Model Context Protocol (Streamable HTTP): Documentation/Agents.md.",
    operations: [
      .post(
        "/mcp", "callMCP", "Takes one message of the protocol, and answers it.",
        "There are no sessions and no streams; revision 2025-03-26 alone knows batches.",
        takes: [
          .header("MCP-Protocol-Version", .text, "The revision, once it is agreed on."),
          .header("Mcp-Method", .text, "The message's method, as revision 2026-07-28 has it."),
          .header("Mcp-Name", .text, "Of what it asks for: a tool, a resource, a prompt."),
        ],
        sends: .json(
          .either([.named("RPCMessage"), .list(of: .named("RPCMessage"))]), most: MCPRoutes.longest,
          "JSON-RPC 2.0.", example: ["jsonrpc": "2.0", "id": 1, "method": "tools/list"]),
        answers: [
          .json(
            .either([.named("RPCAnswer"), .list(of: .named("RPCAnswer"))]), "The answer; to a batch, all of them."),
          .nothing(202, "Nothing of it is answered: a notification."),
        ],
        refuses: [
          Refusal(400, "-32700", "it is no JSON"), Refusal(400, "-32600", "it is no message"),
          Refusal(400, "-32602", "its parameters are not those of its method"),
          Refusal(400, "-32020", "the headers say something else than the message"),
          Refusal(400, "-32022", "the revision is not known"),
          .unknown("-32601", "there is no such method, where a revision has a status for it"),
          Refusal(406, "not_acceptable", "the answer is JSON, and `Accept` does not take it"),
        ]
      ).refusing(also: .init(type: MediaType.json, schema: .named("RPCAnswer"))),
      .get("/mcp", "listenToMCP", "There is no stream to listen to.", answers: [], refuses: [none]),
      .delete("/mcp", "endMCP", "There is no session to end.", answers: [], refuses: [none]),
    ],
    schemas: [
      .init(
        "RPCMessage",
        .object([
          .has("jsonrpc", .choice(["2.0"])), .may("id", anyId, "Not there: nobody answers."),
          .has("method", .text.least(1).most(100)), .may("params", .anyObject),
        ])),
      .init(
        "RPCAnswer",
        .object([
          .has("jsonrpc", .choice(["2.0"])), .may("id", .either([anyId, .null])), .may("result", .anyObject),
          .may("error", .object([.has("code", .integer), .has("message", .text), .may("data", .anything)])),
        ])),
    ])

  private static let anyId = Shape.either([.text.most(RPCID.longest), .integer])
  private static let none = Refusal(405, "method_not_allowed", "messages are sent with POST")
}
