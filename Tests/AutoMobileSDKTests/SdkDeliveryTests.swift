import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SdkDeliveryTests {
  private static let takesJournal = ["Accept-Post": "application/json, application/x-automobile-journal"]

  private func names(_ request: ReceivedRequest) -> [String] {
    let batch = try? JSONDecoder().decode(SdkEventBatch.self, from: request.body)
    return batch?.events.compactMap { (try? $0.event() as? SdkCustomEvent)?.name } ?? []
  }

  @Test func `with an endpoint what is recorded arrives there, with the key and the context`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try SdkHarness {
      $0.endpoint = server.url
      $0.apiKey = "secret"
    }
    harness.sdk.setUserId("ada")
    harness.sdk.trackEvent(name: "a")
    harness.sdk.trackEvent(name: "b")
    harness.sdk.flush()
    #expect(await eventually { server.requests.flatMap(names) == ["a", "b"] })
    let request = try #require(server.requests.first)
    #expect(request.path == "/sdk-events")
    #expect(request.headers["authorization"] == "Bearer secret")
    let batch = try JSONDecoder().decode(SdkEventBatch.self, from: request.body)
    let event = try JSONSerialization.jsonObject(with: try #require(batch.events.first).payload) as? [String: Any]
    #expect((event?["context"] as? [String: Any])?["userId"] as? String == "ada")
    #expect(await eventually { harness.sdk.diagnostics.delivery?.eventsDelivered == 2 })
    #expect(harness.sdk.diagnostics.delivery?.endpoint?.path == "/sdk-events")
  }

  @Test func `what one launch could not deliver the next one does`() async throws {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory) { $0.sdk.trackEvent(name: "left behind") }
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let second = try SdkHarness(directory: directory) { $0.endpoint = server.url }
    #expect(await eventually { server.requests.flatMap(names).contains("left behind") })
    #expect(second.sdk.diagnostics.recorded == 0)
  }

  @Test func `shutting down delivers what is left`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try SdkHarness { $0.endpoint = server.url }
    harness.sdk.trackEvent(name: "last")
    harness.sdk.shutdown()
    #expect(await eventually { server.requests.flatMap(names) == ["last"] })
  }

  @Test func `whoever shuts down can wait until everything is delivered, more than once`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try SdkHarness { $0.endpoint = server.url }
    for number in 0..<1200 { harness.sdk.trackEvent(name: "\(number)") }
    await harness.sdk.shutdownAndDeliver()
    #expect(server.requests.flatMap(names) == (0..<1200).map(String.init))
    await harness.sdk.shutdownAndDeliver()
    #expect(harness.sdk.diagnostics.isShutDown)
  }

  @Test func `waiting for delivery ends at once where nothing is delivered`() async throws {
    let harness = try SdkHarness()
    await harness.sdk.shutdownAndDeliver()
    #expect(harness.sdk.diagnostics.isShutDown)
    await AutoMobileSDK(environment: { SdkEnvironment() }).shutdownAndDeliver()
  }

  @Test func `an endpoint that is none is told, and recording goes on`() throws {
    let harness = try SdkHarness { $0.endpoint = URL(string: "ftp://example.com") }
    harness.sdk.trackEvent(name: "a")
    #expect(try harness.recorded().count == 1)
    #expect(harness.sdk.diagnostics.delivery == nil)
    #expect(harness.sdk.diagnostics.lastError?.contains("ftp://example.com") == true)
  }

  // MARK: Where to

  private func destination(
    _ configuration: AutoMobileConfiguration, defaultEndpoint: String?, variables: [String: String] = [:]
  ) throws -> String? {
    var environment = SdkEnvironment()
    environment.defaultEndpoint = defaultEndpoint.flatMap(URL.init(string:))
    environment.variables = variables
    let options = try DeliveryOptions(
      configuration, bundleId: nil, directory: URL(fileURLWithPath: "/"), environment: environment)
    switch options?.destination {
    case .endpoint(let endpoint): return endpoint.events.absoluteString
    case .simulator(let simulator): return "simulator \(simulator.deviceId)"
    case nil: return nil
    }
  }

  @Test func `the configured endpoint comes before the build's own, and without both nothing is delivered`() throws {
    let own = AutoMobileConfiguration(endpoint: URL(string: "https://example.com/base"))
    let simulator = ["SIMULATOR_UDID": "ABC"]
    let debug = "http://localhost:8765"
    #expect(try destination(own, defaultEndpoint: debug) == "https://example.com/base/sdk-events")
    #expect(try destination(own, defaultEndpoint: nil) == "https://example.com/base/sdk-events")
    #expect(try destination(own, defaultEndpoint: debug, variables: simulator)?.hasPrefix("https:") == true)
    #expect(try destination(.default, defaultEndpoint: debug) == "http://localhost:8765/sdk-events")
    #expect(try destination(.default, defaultEndpoint: debug, variables: simulator) == "simulator ABC")
    #expect(try destination(.default, defaultEndpoint: nil, variables: simulator) == nil)
  }

  @Test func `what the app told the broadcaster about CtrlProxy holds for the SDK's own events`() throws {
    func broadcaster(isDebug: Bool) -> SdkEventBroadcaster {
      let url = DefaultEndpoint.url(isDebug: isDebug)
      return SdkEventBroadcaster(
        url: url, isDebug: isDebug, transport: LazyTransport { URLSessionTransport() }, center: NotificationCenter())
    }
    let debug = broadcaster(isDebug: true)
    #expect(SdkEnvironment.live(broadcaster: debug).defaultEndpoint?.port == 8765)
    debug.setCtrlProxyUrl(URL(string: "http://localhost:9999"))
    #expect(SdkEnvironment.live(broadcaster: debug).defaultEndpoint?.port == 9999)
    debug.setCtrlProxyUrl(nil)
    #expect(SdkEnvironment.live(broadcaster: debug).defaultEndpoint == nil)
    let release = broadcaster(isDebug: false)
    release.setCtrlProxyUrl(URL(string: "http://localhost:9999"))
    #expect(SdkEnvironment.live(broadcaster: release).defaultEndpoint == nil)
  }
}
