import AutoMobileHTTP
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileReplay
@testable import AutoMobileRequests
@testable import AutoMobileSDK

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a mask covers on the screen is not told by an address either.
@Suite(.serialized) struct `Secrets in addresses` {
  private let secrets = ["S3CRETquery", "S3CRETuser", "S3CRETnamed", "S3CRETfragment", "S3CREThead", "S3CRETerror"]
  private let address =
    "https://joe:S3CRETuser@shop.example/orders?page=2&access_token=S3CRETquery&loyaltyCard=S3CRETnamed#id_token=S3CRETfragment"

  @Test func `are in no file and in nothing that is sent, wherever the address comes up`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let network = AutoMobileNetwork(isDebugBuild: true)
    let lifecycle = ToldLifecycle()
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.bundleId = "dev.test"
      environment.subsystems = [.network(network)]
      environment.makeStore = { MemoryStore() }
      environment.makeLifecycle = { lifecycle }
      return environment
    }
    for network in [network, .shared] {
      network.setRedactedFields(AutoMobileNetwork.defaultRedactedFields + ["loyaltyCard"])
    }
    network.setCaptureHeaders(true)
    defer {
      network.reset()
      AutoMobileNetwork.shared.reset()
    }
    sdk.initialize(
      bundleId: "dev.test",
      configuration: AutoMobileConfiguration(
        endpoint: server.url, flushIntervalMs: 20, storage: .directory(temporary.url)))
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.trackScreen("\(address)&early=1")
    let id = try #require(await recorder.start().sessionId)

    recorder.trackScreen(address)
    recorder.trackScreen("shop?token=S3CRETquery")
    sdk.openURL(try #require(URL(string: address)), sourceApplication: "mail")
    lifecycle.tell(.becameActive)
    lifecycle.tell(.enteredBackground)
    lifecycle.tell(.becameActive)
    network.recordRequest(
      url: address, method: "GET", requestHeaders: ["Authorization": "Bearer S3CREThead", "Referer": address],
      error: "cannot load \(address) password=S3CRETerror")
    // As the app's own sessions are covered: nobody answers there.
    let closed = try #require(URL(string: "http://joe:S3CRETuser@127.0.0.1:9/orders?access_token=S3CRETquery"))
    _ = try? await URLSession(configuration: .default).data(from: closed)
    _ = await recorder.stop()
    #expect(await eventually { server.requests.map(Self.readable).contains { $0.contains("/orders") } })
    sdk.shutdown()

    let files = temporary.files.map { ($0.path, String(decoding: $0.content, as: UTF8.self)) }
    let all = files + server.requests.map { ("a request", Self.readable($0)) }
    for word in [id, "REDACTED", "shop.example", "/orders", "page=2", "Application Opened"] {
      #expect(all.contains { $0.1.contains(word) }, "\(word) is recorded")
    }
    for (place, text) in all {
      for secret in secrets { #expect(!text.contains(secret), "\(secret) in \(place): \(text)") }
    }
  }

  /// With the events in it, which a batch has in Base64.
  private static func readable(_ request: Data) -> String {
    let text = String(decoding: request, as: UTF8.self)
    let payloads = text.components(separatedBy: #""payload":""#).dropFirst().compactMap { rest in
      Data(base64Encoded: String(rest.prefix { $0 != "\"" }))
    }
    return text + payloads.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test func `names of screens that are no addresses stay as they are`() {
    for name in ["Menu", "Password: new", "token=1", "a & b"] {
      #expect(AutoMobileSDK.redacted(screenName: name) == name)
    }
    #expect(AutoMobileSDK.redacted(screenName: "app://x?token=1&a=2") == "app://x?token=REDACTED&a=2")
  }
}

/// The test says what the system would.
final class ToldLifecycle: ApplicationLifecycle {
  private let signals = Locked<[@Sendable (ApplicationSignal) -> Void]>([])

  func start(
    onLaunch: @escaping @Sendable (ApplicationState) -> Void, onSignal: @escaping @Sendable (ApplicationSignal) -> Void
  ) {
    signals.withLock { $0.append(onSignal) }
    onLaunch(.active)
  }

  func stop() { signals.withLock { $0 = [] } }
  func tell(_ signal: ApplicationSignal) { signals.withLock { $0 }.forEach { $0(signal) } }
}

private final class MemoryStore: KeyValueStore {
  private let texts = Locked<[String: String]>([:])
  func string(_ key: String) -> String? { texts.withLock { $0[key] } }
  func set(_ key: String, _ value: String?) { texts.withLock { $0[key] = value } }
}
