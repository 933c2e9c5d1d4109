#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import TestTools
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an app's session would have done is still done: storages, trust, many requests at a time.
@Suite struct KeptBehaviourTests {
  private func covered(_ configuration: URLSessionConfiguration = .ephemeral) -> URLSessionConfiguration {
    NetworkInterception.shared.register(in: configuration)
    return configuration
  }

  @Test func `cookies go into the storage of the app's session, come from there, and from nowhere else`() async throws {
    let server = try await OddServer()
    try await ExchangeLog().observing {
      let session = URLSession(configuration: covered())
      defer { session.finishTasksAndInvalidate() }
      _ = try await session.data(from: server.url("/cookie/set"))
      let (echoed, _) = try await session.data(from: server.url("/cookie/get"))
      #expect(String(decoding: echoed, as: UTF8.self) == "flavour=oatmeal")
      #expect(session.configuration.httpCookieStorage?.cookies?.map(\.name) == ["flavour"])
      #expect(HTTPCookieStorage.shared.cookies(for: server.url)?.isEmpty != false)
      let other = URLSession(configuration: covered())
      defer { other.finishTasksAndInvalidate() }
      let (none, _) = try await other.data(from: server.url("/cookie/get"))
      #expect(String(decoding: none, as: UTF8.self) == "none")
    }
  }

  @Test func `a cached answer is used as often as without interception, and reloading reloads`() async throws {
    let server = try await OddServer()
    func answers(_ configuration: URLSessionConfiguration) async throws -> [Bool] {
      configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      let session = URLSession(configuration: configuration)
      defer { session.finishTasksAndInvalidate() }
      var bodies: [Data] = []
      for policy in [
        NSURLRequest.CachePolicy.useProtocolCachePolicy, .useProtocolCachePolicy, .reloadIgnoringLocalCacheData,
      ] {
        let request = URLRequest(url: server.url("/cached"), cachePolicy: policy, timeoutInterval: 60)
        bodies.append(try await session.data(for: request).0)
      }
      return [bodies[0] == bodies[1], bodies[1] == bodies[2]]
    }
    let bare = try await answers(.ephemeral)
    let intercepted = try await ExchangeLog().observing { try await answers(covered()) }
    #expect(bare == intercepted)
  }

  @Test func `a certificate that is not trusted ends the request as without interception`() async throws {
    let certificate = try await SelfSignedCertificate()
    let server = try await OddServer(certificate: certificate)
    let scenario = Scenario(name: "", path: "/echo")
    for style in Scenario.Style.allCases {
      let log = ExchangeLog()
      let bare = await HostClient.run(scenario, style, at: server.url, .ephemeral)
      let intercepted = await log.observing { await HostClient.run(scenario, style, at: server.url, covered()) }
      #expect(bare == intercepted && bare.errorCode != nil && bare.status == nil)
      let exchange = try #require(await log.first(1).first)
      #expect(exchange.error?.code == bare.errorCode && exchange.statusCode == nil)
    }
  }

  @Test func `a refused connection is the same error`() async throws {
    let server = try HTTPTestServer(isUp: false) { _ in .ok }
    defer { server.stop() }
    let scenario = Scenario(name: "", path: "/")
    let bare = await HostClient.run(scenario, .delegate, at: server.url, .ephemeral)
    let intercepted = await ExchangeLog().observing {
      await HostClient.run(scenario, .delegate, at: server.url, covered())
    }
    #expect(bare == intercepted && bare.errorDomain == NSURLErrorDomain)
  }

  @Test func `hundreds of requests at a time each get their own answer, and are recorded once`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog(bodyLimit: 100)
    try await log.observing {
      let session = URLSession(configuration: covered())
      defer { session.finishTasksAndInvalidate() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<300 {
          group.addTask {
            var request = URLRequest(url: server.url("/echo?n=\(number)"))
            request.httpMethod = "POST"
            request.httpBody = Data(repeating: UInt8(truncatingIfNeeded: number), count: number)
            let (body, _) = try await session.data(for: request)
            #expect(String(decoding: body, as: UTF8.self).contains("\"/echo?n=\(number)\""))
          }
        }
        try await group.waitForAll()
      }
      let exchanges = await log.first(300)
      #expect(exchanges.count == 300 && Set(exchanges.map(\.id)).count == 300 && Set(exchanges.map(\.url)).count == 300)
    }
  }

  @Test func `requests that are cancelled at any time end once, and are recorded once`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    var random = SeededRandom(7)
    let ended = Locked(0)
    await log.observing {
      let session = URLSession(configuration: covered())
      for number in 0..<200 {
        let path = ["/bytes/100000", "/sse", "/redirect/3", "/slow/0.01"][number % 4]
        let task = session.dataTask(with: server.url(path)) { _, _, _ in ended.withLock { $0 += 1 } }
        task.resume()
        let microseconds = Int(random.next() % 20_000)
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { task.cancel() }
      }
      #expect(await eventually { ended.withLock { $0 } == 200 })
      #expect(await log.first(200).count == 200)
      session.finishTasksAndInvalidate()
    }
  }

  #if canImport(FoundationNetworking)
  /// Foundation on Linux does that when a task is cancelled just when its cache has answered.
  @Test(arguments: ["data", "download"])
  func `a request that is stopped before it begins ends at once, and is recorded once`(kind: String) async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let session = URLSession(configuration: covered())
      // It never ends by itself.
      let url = server.url("/sse")
      let task = kind == "data" ? session.dataTask(with: url) : session.downloadTask(with: url)
      task.cancel()
      let urlProtocol = AutoMobileURLProtocol(task: task, cachedResponse: nil, client: QuietClient())
      try #require(ReachedTask.workQueue(of: session)).sync {
        urlProtocol.stopLoading()
        urlProtocol.startLoading()
      }
      let exchanges = await log.first(1)
      #expect(exchanges.map { $0.error?.code } == [URLError.cancelled.rawValue])
      session.finishTasksAndInvalidate()
    }
  }
  #endif

  @Test func `a task that the app suspends goes on when it resumes it`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    await log.observing {
      let delegate = HostDelegate(Scenario(name: "", path: ""))
      let session = URLSession(configuration: covered(), delegate: delegate, delegateQueue: nil)
      let task = session.dataTask(with: server.url("/status/201"))
      task.suspend()
      task.resume()
      task.resume()
      #expect(await delegate.end.value.status == 201)
      #expect(await log.first(1).first?.statusCode == 201)
      session.finishTasksAndInvalidate()
    }
  }
}

#if canImport(FoundationNetworking)
/// A loading system that does nothing with what it is told.
private final class QuietClient: NSObject, URLProtocolClient {
  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
  ) {}
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {}
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {}
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {}
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {}
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
#endif
#endif
