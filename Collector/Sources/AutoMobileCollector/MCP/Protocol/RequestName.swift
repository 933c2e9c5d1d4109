import NIOCore

extension MCPServer {
  /// By which a stream knows a request that is under way.
  package struct RequestName: Hashable, Sendable {
    private let id: RPCID

    /// Nil for a message that has no answer, or is none.
    package init?(of message: ByteBuffer) {
      guard let tree = Self.tree(message), let id = (try? RPCMessage(tree))?.id else { return nil }
      self.id = id
    }

    /// The request that a message calls off; nil when it does not.
    package init?(calledOffBy message: ByteBuffer) {
      // Most messages are told apart before they are read.
      guard message.readableBytes < 4096, let tree = Self.tree(message),
        tree["method"]?.string == "notifications/cancelled"
      else { return nil }
      switch tree["params"]?["requestId"] {
      case .string(let text)?: id = .text(text)
      case .integer(let number)?: id = .number(number)
      default: return nil
      }
    }

    private static func tree(_ message: ByteBuffer) -> JSONTree? {
      try? message.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: MCPServer.maximumDepth) }
    }
  }
}

extension MCPServer.Arrival {
  /// Remembers what a handshake has agreed on.
  package mutating func note(_ reply: MCPServer.Reply) { agreed = reply.agreed ?? agreed }
}
