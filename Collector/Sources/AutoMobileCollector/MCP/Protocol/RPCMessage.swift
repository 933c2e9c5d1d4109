/// One message of JSON-RPC 2.0, as far as the protocol has them: a request, or a notification, which nobody answers.
struct RPCMessage: Sendable {
  /// What an answer names; nil for a notification.
  var id: RPCID?
  var method: String
  /// An object.
  var params: JSONTree

  /// - Throws: ``RPCError``, with the id as far as it could be read.
  init(_ tree: JSONTree) throws(RPCError) {
    guard case .object(let members) = tree else { throw .invalid("a message is a JSON object") }
    let id: RPCID?
    switch members["id"] {
    case nil: id = nil
    case .string(let text)? where text.utf8.count <= RPCID.longest: id = .text(text)
    case .integer(let number)?: id = .number(number)
    default: throw .invalid("an id is an integer, or a string of up to \(RPCID.longest) bytes")
    }
    self.id = id
    guard members["jsonrpc"]?.string == "2.0" else { throw .invalid("jsonrpc must be \"2.0\"", id: id) }
    guard let method = members["method"]?.string, (1...100).contains(method.utf8.count) else {
      throw .invalid("method must be the name of a method; answers are not expected here", id: id)
    }
    self.method = method
    params = members["params"] ?? [:]
    guard case .object = params else {
      throw RPCError(.invalidParams, "params must be an object", id: id)
    }
  }
}

enum RPCID: Sendable, Hashable {
  case text(String)
  case number(Int64)

  static let longest = 200

  var json: JSONTree {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .integer(number)
    }
  }
}

/// A message that cannot be answered as it asks. Errors that a model can mend are results of tools instead.
struct RPCError: Error, Sendable {
  enum Code: Int64, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case `internal` = -32603
    /// Before 2026-07-28; `invalidParams` since.
    case resourceNotFound = -32002
    case headerMismatch = -32020
    case unsupportedVersion = -32022

    /// Of the HTTP answer, where a revision says that there is one for it.
    var status: Int {
      switch self {
      case .methodNotFound: 404
      case .internal: 200
      default: 400
      }
    }
  }

  var code: Code
  var message: String
  var data: JSONTree?
  /// When it was read before the error was found.
  var id: RPCID?

  init(_ code: Code, _ message: String, data: JSONTree? = nil, id: RPCID? = nil) {
    self.code = code
    self.message = message
    self.data = data
    self.id = id
  }

  static func invalid(_ message: String, id: RPCID? = nil) -> RPCError {
    RPCError(.invalidRequest, message, id: id)
  }

  /// The whole answer.
  func answer(to id: RPCID?) -> JSONTree {
    var error: [String: JSONTree] = ["code": .integer(code.rawValue), "message": .string(message)]
    error["data"] = data
    var answer: [String: JSONTree] = ["jsonrpc": "2.0", "error": .object(error)]
    // Without one where none could be read.
    answer["id"] = (id ?? self.id)?.json
    return .object(answer)
  }
}
