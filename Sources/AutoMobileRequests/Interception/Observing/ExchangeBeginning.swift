import AutoMobileHTTP
import AutoMobileRecorder
import AutoMobileSupport
import Dispatch

/// Tells observers that a request has begun: beside the request, which is on its way meanwhile, and at the latest before
/// the app gets anything of the answer. So what they write down then outlives the process from that moment on, and neither
/// waits for it, unless the answer is quicker.
final class ExchangeBeginning: Sendable {
  private static let queue = DispatchQueue(
    label: "dev.jasonpearson.automobile.sdk.network.beginnings", qos: .userInitiated)

  private let exchange: HTTPExchange
  private let observers: [any NetworkObserver]
  /// Held while they are told: who comes then waits.
  private let isDone = Locked(false)

  init(_ exchange: HTTPExchange, _ observers: [any NetworkObserver]) {
    var begun = exchange
    begun.isUnfinished = true
    self.exchange = begun
    self.observers = observers
  }

  /// The request has been sent: they are told soon.
  func tellSoon() { Self.queue.async { self.tell() } }

  /// They have been told when it returns.
  func tell() {
    isDone.withLock { isDone in
      guard !isDone else { return }
      isDone = true
      for observer in observers { observer.exchangeBegan(exchange) }
    }
  }

  /// The request has ended: whoever has not been told will not be, and nobody is being told any more when it returns.
  func end() { isDone.withLock { $0 = true } }
}
