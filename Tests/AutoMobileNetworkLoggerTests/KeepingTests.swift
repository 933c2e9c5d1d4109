#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileNetworkLog
import Foundation
import RequestCatcher
import Testing

@testable import AutoMobileNetworkLogger

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The log on the device has no part in what an app sends, and what it keeps.
@Suite struct NetworkLogKeepingTests {
  private static let policies: [UploadPolicy] = [
    .everything, .whenTriggered(UploadRules([])),
    .whenTriggered(
      UploadRules([UploadRule("requests", when: .request(UploadRequest()), send: UploadSpan(bodies: false))])),
  ]

  @Test(arguments: policies.indices)
  func `requests are logged whole, with their bodies, whatever leaves the device`(policy: Int) async throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try RequestCatcher(
      answer: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"
        + "{\"id\": 4711}")
    defer { server.stop() }
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.defaultEndpoint = nil
      return environment
    }
    defer { sdk.reset() }
    var configuration = AutoMobileConfiguration(
      storage: .directory(directory.url.appendingPathComponent("recordings")))
    configuration.upload = Self.policies[policy]
    sdk.initialize(bundleId: "com.example", configuration: configuration, integrations: [])
    let logged = LoggedSession(.recording(into: directory), sdk: sdk)
    defer { logged.end() }

    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/orders")))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"item":"shoes"}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    _ = try await logged.session.data(for: request)
    await NetworkInterception.shared.settle(within: 60)

    let log = NetworkLog(directory)
    let entry = try #require(log.page().entries.first)
    let exchange = try #require(log.exchange(entry.id))
    #expect(log.count() == 1 && exchange.method == "POST" && exchange.statusCode == 200)
    #expect(exchange.requestBody?.text == #"{"item":"shoes"}"# && exchange.responseBody?.text == #"{"id": 4711}"#)
  }
}
#endif
