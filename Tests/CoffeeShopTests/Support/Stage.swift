import CoffeeShop
import Foundation
import SwiftUI
import Testing
import UIKit

@testable import AutoMobileInspection
@testable import AutoMobileRecorder
@testable import AutoMobileRequests

/// The app as it runs on a phone, on a simulated screen, with a server of its own and the shared SDK.
@MainActor final class Stage {
  let directory: URL
  let server: ShopServer
  let shop: Shop
  let window: UIWindow
  private let scene = UIWindowScene()
  let screen: SimulatedScreen
  let suite = "coffee-shop-tests-\(UUID().uuidString)"

  /// - Parameter opening: how connections for live updates are opened.
  static func play(opening: OrderUpdates.Opening? = nil, _ body: (Stage) async throws -> Void) async throws {
    let stage = try Stage(opening)
    await stage.settle()
    do {
      try await body(stage)
    } catch {
      await stage.end()
      throw error
    }
    await stage.end()
  }

  private init(_ opening: OrderUpdates.Opening?) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("coffee-shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    server = try ShopServer()
    let defaults = try #require(SimulatedDefaults(suiteName: suite))
    StandInApp.install(version: "2.4.0", build: "417", defaults: defaults)
    FlightRecorder.start(
      AutoMobileConfiguration(
        storage: .directory(directory.appendingPathComponent("events")), subsystems: .standard.subtracting(.hangs)))
    shop = Shop(
      client: ShopClient(shop: server.url), directory: directory,
      defaults: defaults, opening: opening)
    UIApplication.shared.simulateConnection(of: scene)
    window = UIWindow(windowScene: scene)
    screen = SimulatedScreen(ShopView(shop), in: window)
    DatabaseInspector.shared.setDriver(SQLiteDatabaseDriver(searchPaths: [directory.path]))
    UserDefaultsInspector.shared.startListening(suiteName: suite)
  }

  /// Waits until the SDK has started and read the settings: changes are told from then on.
  private func settle() async {
    await withCheckedContinuation { continuation in
      guard let runtime = AutoMobileSDK.shared.runtime else { return continuation.resume() }
      runtime.whenStarted { continuation.resume() }
    }
    UserDefaultsInspector.shared.settle()
  }

  private func end() async {
    screen.simulateDisappearance()
    UIApplication.shared.simulateDisconnection(of: scene)
    // What is on its way would be recorded by the next test's SDK.
    #expect(await eventually { !shop.isBusy })
    // And what has come is recorded behind it.
    await NetworkInterception.shared.settle(within: 5)
    AutoMobileSDK.shared.reset()
    StandInApp.remove()
    AutoMobileNetwork.shared.stopInterception()
    server.stop()
    UserDefaults.standard.removePersistentDomain(forName: suite)
    // What is left of it is an empty file.
    let file = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config/\(suite).plist")
    try? FileManager.default.removeItem(at: file)
    try? FileManager.default.removeItem(at: directory)
  }

  /// Waits until the screen says so: requests take their time.
  func sees(_ text: String) async -> Bool { await eventually { screen.texts.contains(text) } }

  /// As people do: a button that is disabled while requests are on their way is not pressed before it can be.
  func pay() async throws {
    #expect(await eventually { !shop.isBusy })
    try screen.simulateTap("Pay 4.20 €")
  }

  func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = Date() + 90
    while try !condition() {
      guard Date() < deadline else { return false }
      try? await Task.sleep(nanoseconds: 2_000_000)
    }
    return true
  }

  /// The events of this launch, in the order of recording.
  func recorded() throws -> [any SdkEvent] {
    let journal = try #require(AutoMobileSDK.shared.runtime).journal
    return try journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records.compactMap { record in
      guard record.kind == .event || record.kind == .eventAndBreadcrumb else { return nil }
      return try SdkEventDecoder.decode(Data(record.payload))
    }
  }
}
