#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Observers are not in the way of the app: its request is sent and its answer is there before they are done.
@Suite struct ObserverOrderTests {
  /// Says what came when. One that is told of an end goes on when the app has its answer, or after a long time; one that is
  /// told of a beginning when `mayBegin` holds.
  private final class SlowObserver: NetworkObserver {
    let order = Locked<[String]>([])
    let appHasAnswer = DispatchSemaphore(value: 0)
    let mayBegin: @Sendable () -> Bool

    init(mayBegin: @escaping @Sendable () -> Bool = { true }) { self.mayBegin = mayBegin }

    func interest(in request: URLRequest) -> CaptureInterest? { CaptureInterest(bodyLimit: 1024) }

    func exchangeBegan(_ exchange: HTTPExchange) {
      let deadline = DispatchTime.now() + 20
      while !mayBegin(), DispatchTime.now() < deadline { usleep(1000) }
      note(mayBegin() ? "began" : "in the way of the request")
    }

    func exchangeEnded(_ exchange: HTTPExchange) {
      note(appHasAnswer.wait(timeout: .now() + 20) == .success ? "observed" : "in the way of the answer")
    }

    func note(_ what: String) { order.withLock { $0.append(what) } }
    func all(_ count: Int) async -> [String] {
      _ = await eventually { order.withLock { $0.count } >= count }
      return order.withLock { $0 }
    }
  }

  private func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    NetworkInterception.shared.register(in: configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test(arguments: [
    Scenario(name: "data", path: "/echo"), Scenario(name: "redirect", path: "/redirect/2"),
    Scenario(name: "download", path: "/bytes/100", isDownload: true),
  ])
  func `the app has its answer while an observer still looks at it`(_ scenario: Scenario) async throws {
    let server = try await OddServer()
    let observer = SlowObserver()
    NetworkInterception.shared.add(observer)
    defer { NetworkInterception.shared.remove(observer) }
    let session = session()
    defer { session.finishTasksAndInvalidate() }
    let then: @Sendable () -> Void = {
      observer.note("app")
      observer.appHasAnswer.signal()
    }
    let url = server.url(scenario.path)
    if scenario.isDownload {
      session.downloadTask(with: url) { _, _, _ in then() }.resume()
    } else {
      session.dataTask(with: url) { _, _, _ in then() }.resume()
    }
    #expect(await observer.all(3) == ["began", "app", "observed"])
  }

  @Test func `neither is a forwarder's, nor that of a request which fails`() async throws {
    let server = try await OddServer()
    let observer = SlowObserver()
    NetworkInterception.shared.add(observer)
    defer { NetworkInterception.shared.remove(observer) }
    final class Host: NSObject, URLSessionTaskDelegate, Sendable {
      let observer: SlowObserver
      init(_ observer: SlowObserver) { self.observer = observer }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        observer.note("app")
        observer.appHasAnswer.signal()
      }
    }
    let plain = URLSession(
      configuration: .ephemeral, delegate: AutoMobileSessionDelegate(forwardingTo: Host(observer)), delegateQueue: nil)
    plain.dataTask(with: server.url("/echo")).resume()
    #expect(await observer.all(2) == ["app", "observed"])
    plain.finishTasksAndInvalidate()
    observer.order.withLock { $0 = [] }

    let session = session()
    session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/"))) { _, _, _ in
      observer.note("app")
      observer.appHasAnswer.signal()
    }.resume()
    #expect(await observer.all(2).filter { $0 != "began" } == ["app", "observed"])
    session.finishTasksAndInvalidate()
  }

  @Test func `a request is on its way while it is noted, and noted before the app has anything of the answer`()
    async throws
  {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let observer = SlowObserver { server.requests.count > 0 }
    NetworkInterception.shared.add(observer)
    defer { NetworkInterception.shared.remove(observer) }
    let session = session()
    defer { session.finishTasksAndInvalidate() }
    session.dataTask(with: server.url) { _, _, _ in
      observer.note("app")
      observer.appHasAnswer.signal()
    }.resume()
    #expect(await observer.all(3) == ["began", "app", "observed"])
  }

  @Test func `a request that ended is not told to have begun any more`() {
    let log = SlowObserver()
    let beginning = ExchangeBeginning(
      HTTPExchange(id: "1", startedAt: 1, method: "GET", url: "https://a.example"), [log])
    beginning.end()
    beginning.tell()
    #expect(log.order.withLock { $0 } == [])
  }

  @Test func `what waits for observers is bounded, and what is over is counted by each`() async throws {
    let harness = try NetworkHarness()
    let queue = NetworkInterception.shared.observerQueue
    let gate = DispatchSemaphore(value: 0)
    queue.drain()
    #expect(queue.add(bytes: 0) { gate.wait() })
    let count = ObserverQueue.most + 200
    for n in 0..<count {
      var exchange = HTTPExchange(id: "\(n)", startedAt: 1, method: "GET", url: "https://a.example/\(n)")
      exchange.source = "delegate"
      NetworkInterception.shared.report(exchange)
    }
    gate.signal()
    let recorded = try harness.exchanges()
    #expect(recorded.map(\.path) == (0..<ObserverQueue.most - 1).map { "/\($0)" }, "in their order")
    #expect(harness.sdk.sdk.diagnostics.dropped == ["bufferOverflow": 201])
    try harness.sdk.expectBalancedLedger(recorded: UInt64(count))
  }

  @Test func `bodies that wait are bounded, too, and one of any size may wait`() {
    let queue = ObserverQueue()
    let gate = DispatchSemaphore(value: 0)
    #expect(queue.add(bytes: .max) { gate.wait() })
    #expect(!queue.add(bytes: 1) {})
    gate.signal()
    queue.drain()
    // The count is taken down after the work.
    while !queue.add(bytes: ObserverQueue.mostBytes, { gate.wait() }) {}
    #expect(!queue.add(bytes: 1) {})
    gate.signal()
    queue.drain()
  }

  @Test func `a program that ends by itself delivers the request that it has just made`() async throws {
    let server = try await OddServer()
    let harness = try NetworkHarness()
    let configuration = URLSessionConfiguration.ephemeral
    harness.network.register(in: configuration)
    let session = URLSession(configuration: configuration)
    _ = try await session.data(from: server.url("/echo"))
    await harness.sdk.sdk.shutdownAndDeliver()
    #expect(try harness.exchanges().map(\.path) == ["/echo"])
    #expect(harness.sdk.sdk.diagnostics.dropped.isEmpty)
    session.finishTasksAndInvalidate()
  }
}
#endif
