import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct AutoMobileConfigurationTests {
  @Test func `the defaults are the documented ones`() {
    let configuration = AutoMobileConfiguration.default
    #expect(configuration.bufferSize == 50)
    #expect(configuration.flushIntervalMs == 500)
    #expect(configuration.maxBreadcrumbs == 100)
    #expect(configuration.sessionTimeoutMs == 30_000)
    #expect(configuration.endpoint == nil)
    #expect(configuration.storage == .caches)
    #expect(configuration.postsBatchNotifications)
  }

  @Test(arguments: [0, -1, .min]) func `numbers below one given to the initializer become one`(number: Int) {
    let configuration = AutoMobileConfiguration(
      bufferSize: number, flushIntervalMs: number, maxBreadcrumbs: number, sessionTimeoutMs: number)
    #expect(configuration.bufferSize == 1)
    #expect(configuration.flushIntervalMs == 1)
    #expect(configuration.maxBreadcrumbs == 1)
    #expect(configuration.sessionTimeoutMs == 1)
  }

  @Test func `an endpoint and a key are all that a collector needs`() throws {
    let url = try #require(URL(string: "https://collector.example.com"))
    let configuration = AutoMobileConfiguration(endpoint: url, apiKey: "key")
    #expect(configuration.endpoint == url)
    #expect(configuration.apiKey == "key")
  }

  @Test func `without an endpoint only debug builds deliver, to the developer's machine`() {
    #expect(DefaultEndpoint.url(isDebug: true)?.absoluteString == "http://localhost:8765")
    #expect(DefaultEndpoint.url(isDebug: false) == nil)
  }

  @Test func `recordings lie in the documented directory unless the app chooses another`() throws {
    #expect(StorageLocation.caches.resolved()?.lastPathComponent == "automobile_events")
    #expect(StorageLocation.applicationSupport.resolved()?.lastPathComponent == "automobile_events")
    #expect(StorageLocation.caches.resolved() != StorageLocation.applicationSupport.resolved())
    let own = URL(fileURLWithPath: "/somewhere/else")
    #expect(StorageLocation.directory(own).resolved() == own)
  }
}
