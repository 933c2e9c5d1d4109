import AutoMobileSDK
import AutoMobileSupport
import Foundation
import RequestCatcher
import Testing
import UIKit

@testable import AutoMobileRecorder

/// What is delivered when the app leaves and comes back, to a receiver over HTTP.
extension ApplicationTests {
  nonisolated private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
  nonisolated private static let busy =
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

  /// An SDK in an app that delivers to a receiver, and everything that arrived there.
  @MainActor private final class App {
    let sdk: AutoMobileSDK
    let application = UIApplication.shared
    private let receiver: RequestCatcher
    private let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("adapters-\(UUID().uuidString)")
    private(set) var requests: [RequestCatcher.Caught] = []
    private let tasksBefore = UIApplication.shared.simulatedBackgroundTasks.count

    /// - Parameter host: `127.0.0.1` is this machine to the SDK, and `0.0.0.0`, which leads there as well, is none it knows.
    init(host: String, answering answer: @escaping @Sendable (RequestCatcher.Caught) -> String) async throws {
      receiver = try RequestCatcher(answering: answer)
      var environment = SdkEnvironment()
      environment.defaultEndpoint = nil
      environment.makeStore = { KeptTexts() }
      environment.makeLifecycle = { UIKitLifecycle() }
      sdk = AutoMobileSDK { [environment] in environment }
      application.simulateLaunch()
      var configuration = AutoMobileConfiguration(storage: .directory(directory))
      configuration.endpoint = URL(string: "http://\(host):\(receiver.port)")
      sdk.initialize(bundleId: "com.example.adapters", configuration: configuration)
      await Self.turn()
      application.simulateActivation()
    }

    func end() async {
      sdk.reset()
      await Self.turn()
      receiver.stop()
      try? FileManager.default.removeItem(at: directory)
    }

    /// What became of background tasks since the app was launched.
    var tasks: [String] { Array(application.simulatedBackgroundTasks.dropFirst(tasksBefore)) }

    var names: [String] {
      requests.append(contentsOf: receiver.take())
      return requests.flatMap { request -> [String] in
        let batch = try? JSONDecoder().decode(SdkEventBatch.self, from: request.body)
        return batch?.events.compactMap { (try? $0.event() as? SdkCustomEvent)?.name } ?? []
      }
    }

    func until(_ condition: () -> Bool) async -> Bool {
      let deadline = Date() + 90
      while !condition() {
        guard Date() < deadline else { return false }
        try? await Task.sleep(nanoseconds: 5_000_000)
      }
      return true
    }

    private static func turn() async {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
  }

  @Test func `of ten returns to the foreground none asks a receiver that wants to be left alone`() async throws {
    let app = try await App(host: "127.0.0.1") { _ in Self.busy }
    app.sdk.trackEvent(name: "first")
    #expect(await app.until { !app.names.isEmpty })
    #expect(await app.until { app.sdk.diagnostics.delivery?.waitsFor == .receiver })
    for number in 1...10 {
      app.application.simulateLeaving()
      app.sdk.trackEvent(name: "\(number)")
      // It may not send, so it needs no time.
      #expect(await app.until { app.tasks.filter { $0 == "end" }.count == number })
      app.application.simulateActivation()
      app.sdk.flush()
    }
    try await Task.sleep(nanoseconds: 1_500_000_000)
    _ = app.names
    #expect(app.requests.count == 1)
    #expect(app.tasks == Array(repeating: ["begin", "end"], count: 10).flatMap { $0 })
    await app.end()
  }

  @Test func `what a session ends with arrives before the app is suspended, whatever the interval`() async throws {
    let app = try await App(host: "0.0.0.0") { _ in Self.ok }
    // The first delivery takes what there is at that moment.
    #expect(await app.until { app.sdk.diagnostics.delivery?.lastStatusCode == 200 })
    app.sdk.trackEvent(name: "last")
    app.application.simulateLeaving()
    #expect(await app.until { app.tasks == ["begin", "end"] })
    #expect(app.names.suffix(2) == ["last", "Application Backgrounded"])
    #expect(app.requests.count <= 3)
    await app.end()
  }

  @Test func `time that runs out is given back at once, and only once`() async throws {
    let mayAnswer = DispatchSemaphore(value: 0)
    let isAsked = Locked(false)
    let app = try await App(host: "127.0.0.1") { _ in
      isAsked.withLock { $0 = true }
      mayAnswer.wait()
      mayAnswer.signal()
      return Self.ok
    }
    app.sdk.trackEvent(name: "slow")
    app.application.simulateLeaving()
    #expect(await app.until { isAsked.withLock { $0 } })
    #expect(app.tasks == ["begin"])
    app.application.simulateExpiration()
    #expect(app.tasks == ["begin", "end"])
    mayAnswer.signal()
    #expect(await app.until { app.sdk.diagnostics.delivery?.lastStatusCode == 200 })
    #expect(await app.until { app.names.contains("slow") })
    try await Task.sleep(nanoseconds: 200_000_000)
    #expect(app.tasks == ["begin", "end"])
    await app.end()
  }
}
