import AutoMobileSupport

/// A transport that is made when the first request is sent: making a `URLSession` takes longer than the rest of the
/// SDK's start together.
package final class LazyTransport: RequestTransport {
  private let make: @Sendable () -> any RequestTransport
  private let transport = Locked<(any RequestTransport)?>(nil)

  package init(_ make: @escaping @Sendable () -> any RequestTransport) { self.make = make }

  package func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void) {
    let transport = transport.withLock { transport in
      let made = transport ?? make()
      transport = made
      return made
    }
    transport.send(request, completion: completion)
  }

  package func cancelAll() { transport.withLock { $0 }?.cancelAll() }
}
