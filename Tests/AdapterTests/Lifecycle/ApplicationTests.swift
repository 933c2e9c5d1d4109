import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing
import UIKit

@testable import AutoMobileRecorder

/// The adapters to `UIApplication`, driven by what people and the system do. One at a time: there is one application.
@MainActor @Suite(.serialized) struct ApplicationTests {
  private let application = UIApplication.shared
  private let store = KeptTexts()

  /// An SDK as in an app; it follows the one application there is.
  private func initialized(_ directory: URL, build: String = "20") async -> AutoMobileSDK {
    var environment = SdkEnvironment()
    environment.defaultEndpoint = nil
    environment.appVersion = "2.0"
    environment.appBuild = build
    environment.makeStore = { [store] in store }
    environment.makeLifecycle = { UIKitLifecycle() }
    let sdk = AutoMobileSDK { [environment] in environment }
    sdk.initialize(
      bundleId: "com.example.adapters",
      configuration: AutoMobileConfiguration(sessionTimeoutMs: 60_000, storage: .directory(directory)))
    await turn()
    return sdk
  }

  /// Lets the main queue do what has been put there.
  private func turn() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  private func scratch() throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("adapters-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
  }

  /// The names of the lifecycle events, with where the openings came from.
  private func told(_ sdk: AutoMobileSDK) throws -> [String] {
    let journal = try #require(sdk.runtime).journal
    return try journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records.compactMap { record in
      guard record.kind == .event else { return nil }
      let event = try #require(try SdkEventDecoder.decode(Data(record.payload)) as? SdkCustomEvent)
      let from = event.typedProperties["from_background"].map { $0 == .bool(true) ? " from the background" : " anew" }
      return event.name.replacingOccurrences(of: "Application ", with: "") + (from ?? "")
    }
  }

  @Test func `an app that is opened, left and opened again tells so`() async throws {
    let directory = try scratch()
    defer { try? FileManager.default.removeItem(at: directory) }
    application.simulateLaunch()
    let sdk = await initialized(directory)
    defer { sdk.shutdown() }
    let session = try #require(sdk.currentSessionId())
    application.simulateActivation()
    #expect(sdk.currentSessionId() == session, "the session that began with the launch goes on")
    // An alert comes and goes.
    application.simulateInterruption()
    application.simulateActivation()
    application.simulateLeaving()
    application.simulateActivation()
    #expect(sdk.currentSessionId() == session)
    application.simulateLeaving()
    application.simulateTermination()
    #expect(
      try told(sdk) == [
        "Installed", "Opened anew", "Backgrounded", "Opened from the background", "Backgrounded",
      ])
  }

  @Test func `what happens before the app is active belongs to the session that begins there`() async throws {
    let directory = try scratch()
    defer { try? FileManager.default.removeItem(at: directory) }
    application.simulateLaunch()
    let sdk = await initialized(directory)
    defer { sdk.shutdown() }
    sdk.trackEvent(name: "restored")
    application.simulateActivation()
    sdk.trackEvent(name: "shown")
    let records = try #require(sdk.runtime).journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records
    let sessions = try records.filter { $0.kind == .context }.map { record in
      let context = try JSONSerialization.jsonObject(with: Data(record.payload)) as? [String: Any]
      return context?["sessionId"] as? String
    }
    #expect(!sessions.isEmpty)
    #expect(Set(sessions) == [sdk.currentSessionId()])
    // Every event names a context.
    for record in records where record.kind == .event {
      #expect(String(decoding: record.payload, as: UTF8.self).contains(#""contextId":"#))
    }
  }

  @Test func `an SDK that is initialized late finds the app active`() async throws {
    let directory = try scratch()
    defer { try? FileManager.default.removeItem(at: directory) }
    application.simulateLaunch()
    application.simulateActivation()
    let sdk = await initialized(directory)
    defer { sdk.shutdown() }
    #expect(sdk.currentSessionId() != nil)
    #expect(try told(sdk) == ["Installed", "Opened anew"])
  }

  @Test func `a launch in the background opens nothing until somebody comes`() async throws {
    let directory = try scratch()
    defer { try? FileManager.default.removeItem(at: directory) }
    application.simulateLaunch(inBackground: true)
    let sdk = await initialized(directory)
    defer { sdk.shutdown() }
    #expect(sdk.currentSessionId() != nil, "it is a session of its own")
    #expect(try told(sdk) == ["Installed"])
    application.simulateActivation()
    #expect(try told(sdk) == ["Installed", "Opened anew"])
  }

  @Test func `before the first unlock nothing is decided`() async throws {
    let directory = try scratch()
    defer { try? FileManager.default.removeItem(at: directory) }
    application.simulateLaunch(inBackground: true, isLocked: true)
    let sdk = await initialized(directory)
    defer { sdk.shutdown() }
    #expect(try told(sdk) == [])
    #expect(sdk.anonymousId == nil)
    application.simulateFirstUnlock()
    await turn()
    #expect(try told(sdk) == ["Installed"])
    #expect(sdk.anonymousId != nil)
    // The next unlock decides nothing anew.
    application.simulateFirstUnlock()
    await turn()
    #expect(try told(sdk) == ["Installed"])
  }

  @Test func `after a shutdown nobody listens`() async throws {
    let directory = try scratch()
    defer { try? FileManager.default.removeItem(at: directory) }
    application.simulateLaunch()
    let sdk = await initialized(directory)
    sdk.shutdown()
    application.simulateActivation()
    #expect(sdk.currentSessionId() == nil)
    #expect(try told(sdk) == ["Installed"])
  }

  @Test func `the live environment follows the application`() {
    #expect(SdkEnvironment.live().makeLifecycle?() is UIKitLifecycle)
  }
}

/// What the app keeps, in memory.
final class KeptTexts: KeyValueStore {
  private let texts = Locked<[String: String]>([:])
  func string(_ key: String) -> String? { texts.withLock { $0[key] } }
  func set(_ key: String, _ value: String?) { texts.withLock { $0[key] = value } }
}
