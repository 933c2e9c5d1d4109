import AutoMobileCollector
import NIOConcurrencyHelpers
import NIOCore

/// What a stream knows besides its messages: what a handshake agreed on, and which requests are under way, so that a client
/// can call them off.
final class StreamState: Sendable {
  private struct State {
    var arrival = MCPServer.Arrival()
    var running: [MCPServer.RequestName: Task<MCPServer.Reply, Never>] = [:]
  }

  private let state = NIOLockedValueBox(State())

  var arrival: MCPServer.Arrival { state.withLockedValue { $0.arrival } }

  func note(_ reply: MCPServer.Reply) { state.withLockedValue { $0.arrival.note(reply) } }

  /// - Returns: the request's name; nil for what has none.
  func began(_ line: ByteBuffer, _ work: Task<MCPServer.Reply, Never>) -> MCPServer.RequestName? {
    guard let name = MCPServer.RequestName(of: line) else { return nil }
    state.withLockedValue { $0.running[name] = work }
    return name
  }

  /// - Returns: whether nobody waits for the answer any more.
  func ended(_ name: MCPServer.RequestName?) -> Bool {
    guard let name else { return false }
    return state.withLockedValue { $0.running.removeValue(forKey: name)?.isCancelled ?? false }
  }

  /// Whether a message calls off a request; that is then done.
  func cancels(_ line: ByteBuffer) -> Bool {
    guard let name = MCPServer.RequestName(calledOffBy: line) else { return false }
    state.withLockedValue { $0.running[name]?.cancel() }
    return true
  }
}
