import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// A small HTTP/1.1 server on the loopback interface, for tests: real sockets, and answers that misbehave as real
/// receivers do.
///
/// Each connection has a thread of its own. ``stop()`` closes everything and waits for the threads to end.
final class HTTPTestServer: @unchecked Sendable {
  // Unchecked: the listening socket is set once, before the threads start; everything else is in `state`.
  typealias Handler = @Sendable (ReceivedRequest) -> ScriptedAnswer

  private struct State {
    var connections: Set<Int32> = []
    var threads = 0
    var stopped = false
    var requests: [ReceivedRequest] = []
    var accepted = 0
  }

  let port: UInt16
  private let listener: Int32
  private let handler: Handler
  private let state = Locked(State())
  private let allEnded = DispatchSemaphore(value: 0)

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }
  /// Everything that was received whole, in order.
  var requests: [ReceivedRequest] { state.withLock { $0.requests } }

  /// How often somebody connected, whether or not they then asked for something.
  var connectionCount: Int { state.withLock { $0.accepted } }

  /// - Parameter isUp: false: has a port that the system picked, and refuses connections until ``goUp()``.
  init(isUp: Bool = true, handler: @escaping Handler) throws {
    (listener, port) = try Socket.bind()
    self.handler = handler
    if isUp { try goUp() }
  }

  func goUp() throws {
    try Socket.listen(listener)
    spawn { [self] in accept() }
  }

  /// Answers every request alike.
  convenience init(_ answer: ScriptedAnswer) throws { try self.init { _ in answer } }

  /// Has to be called, for the threads hold the server. A second call does nothing.
  func stop() {
    // Shut down under the lock: a connection leaves the set before its descriptor is closed and given to somebody else.
    let first = state.withLock { state in
      let first = !state.stopped
      state.stopped = true
      for connection in state.connections { Socket.shutdown(connection) }
      return first
    }
    guard first else { return }
    Socket.shutdown(listener)
    if state.withLock({ $0.threads > 0 }) { allEnded.wait() }
    Socket.close(listener)
  }

  private var isStopped: Bool { state.withLock { $0.stopped } }

  private func spawn(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.threads += 1 }
    let thread = Thread { [state, allEnded] in
      body()
      let last = state.withLock { state in
        state.threads -= 1
        return state.threads == 0 && state.stopped
      }
      if last { allEnded.signal() }
    }
    thread.stackSize = 512 * 1024
    thread.start()
  }

  private func accept() {
    while !isStopped {
      guard let connection = Socket.accept(listener) else { continue }
      let welcome = state.withLock { state in
        guard !state.stopped else { return false }
        state.connections.insert(connection)
        state.accepted += 1
        return true
      }
      guard welcome else { return Socket.close(connection) }
      spawn { [self] in
        serve(connection)
        state.withLock { _ = $0.connections.remove(connection) }
        Socket.close(connection)
      }
    }
  }

  private func serve(_ connection: Int32) {
    var reader = RequestReader(connection)
    while !isStopped, let request = reader.next() {
      state.withLock { $0.requests.append(request) }
      guard handler(request).play(on: connection, isStopped: { self.isStopped }) else { return }
    }
  }
}
