import Foundation

/// A network between two programs that can be cut, where and when a test wants.
public final class Relay: @unchecked Sendable {
  // Unchecked: what changes is read and written with the lock held.

  /// What happens to the connection on which a client sends some bytes, once.
  public enum Accident: Sendable {
    /// The server never gets them.
    case before([UInt8])
    /// The server gets them, and its answer goes nowhere.
    case after([UInt8])
  }

  public let port: Int
  private var target: Int
  private let listener: Int32
  private let lock = NSLock()
  private var sockets: Set<Int32> = []
  private var isCut = false
  private var isSilent = false
  private var isStopped = false
  private var accident: Accident?
  private var repeats = false
  private var nextTarget: Int?
  private var connections = 0

  /// - Parameter port: of one that was stopped; nil: another one than all others.
  public init(to target: Int, at port: Int? = nil) throws {
    self.target = target
    for _ in 1...100 {
      let candidate = try port ?? Programs.freePort()
      if let listener = Self.listen(at: candidate) {
        (self.port, self.listener) = (candidate, listener)
        Thread { [self] in accept() }.start()
        return
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw Programs.Failed(description: "there is no port")
  }

  private static func listen(at port: Int) -> Int32? {
    let listener = socket(AF_INET, Programs.streamType, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var isReused: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    let isListening = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isListening, systemListen(listener, 64) == 0 { return listener }
    close(listener)
    return nil
  }

  #if canImport(Darwin)
  private static func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { Darwin.listen(socket, backlog) }
  #else
  private static func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { Glibc.listen(socket, backlog) }
  #endif

  // MARK: What a test does

  /// Ends all connections, and lets nobody in until ``mend()``.
  public func cut() {
    lock.withLock {
      isCut = true
      for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  /// Connections stay, but nothing goes through them any more, nor through new ones, until ``mend()``.
  public func silence() { lock.withLock { isSilent = true } }

  /// As before; what was silenced is cut.
  public func mend() {
    lock.withLock {
      if isSilent { for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
      (isCut, isSilent) = (false, false)
    }
  }

  /// - Parameters:
  ///   - repeats: it happens whenever somebody sends these bytes.
  ///   - target: where whoever comes after it is led.
  public func prepare(_ accident: Accident, repeats: Bool = false, thenTo target: Int? = nil) {
    lock.withLock { (self.accident, self.repeats, nextTarget) = (accident, repeats, target) }
  }

  /// Nothing happens any more.
  public func calm() { lock.withLock { accident = nil } }

  /// How many came until now.
  public var count: Int { lock.withLock { connections } }

  /// Whether the accident has happened.
  public var hasHappened: Bool { lock.withLock { accident == nil } }

  public func stop() {
    lock.withLock { isStopped = true }
    cut()
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  // MARK: Passing on

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  private func accept() {
    while true {
      var readable = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      poll(&readable, 1, 100)
      if lock.withLock({ isStopped }) { return }
      guard readable.revents != 0 else { continue }
      #if canImport(Darwin)
      let client = Darwin.accept(listener, nil, nil)
      #else
      let client = Glibc.accept(listener, nil, nil)
      #endif
      guard client >= 0 else { continue }
      Thread { [self] in serve(client) }.start()
    }
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Programs.streamType, 0)
    for socket in [client, server] { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
    defer {
      close(client)
      close(server)
    }
    var address = Self.address(
      lock.withLock {
        connections += 1
        return target
      })
    let isThere = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let isLetIn = lock.withLock {
      if isThere, !isCut { sockets.formUnion([client, server]) }
      return isThere && !isCut
    }
    guard isLetIn else { return }
    pass(client, server)
    lock.withLock { sockets.subtract([client, server]) }
  }

  private func pass(_ client: Int32, _ server: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65536)
    while true {
      var both = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&both, 2, 50)
      if lock.withLock({ isSilent }) {
        // What is sent stays in the kernel's buffers, and is acknowledged there.
        Thread.sleep(forTimeInterval: 0.02)
        if lock.withLock({ isSilent }) { continue }
        return
      }
      for (from, to) in [(client, server), (server, client)]
      where both.contains(where: { $0.fd == from && $0.revents != 0 }) {
        let count = recv(from, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        let happens = from == client ? take(bytes[..<count]) : nil
        if case .before? = happens { return }
        var sent = 0
        while sent < count {
          let more = bytes.withUnsafeBytes { send(to, $0.baseAddress.map { $0 + sent }, count - sent, Self.noSignal) }
          guard more > 0 else { return }
          sent += more
        }
        if case .after? = happens {
          // The answer says that it is done.
          _ = recv(server, &bytes, bytes.count, 0)
          return
        }
      }
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>) -> Accident? {
    lock.withLock {
      guard let accident else { return nil }
      let wanted =
        switch accident {
        case .before(let wanted), .after(let wanted): wanted
        }
      guard bytes.firstRange(of: wanted) != nil else { return nil }
      target = nextTarget ?? target
      if !repeats { self.accident = nil }
      return accident
    }
  }

  #if canImport(Darwin)
  private static let noSignal: Int32 = 0
  #else
  private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
