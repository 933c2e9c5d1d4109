import CoffeeShop
import Foundation
import SwiftUI
import Testing

@testable import AutoMobileSDK

/// The app as it runs on a phone, on a simulated screen, with a server of its own and the shared SDK.
@MainActor final class Stage {
  let directory: URL
  let server: ShopServer
  let shop: Shop
  let screen: SimulatedScreen
  private let suite = "coffee-shop-tests-\(UUID().uuidString)"

  static func play(_ body: (Stage) async throws -> Void) async throws {
    let stage = try Stage()
    do {
      try await body(stage)
    } catch {
      await stage.end()
      throw error
    }
    await stage.end()
  }

  private init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("coffee-shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    server = try ShopServer()
    FlightRecorder.start(
      AutoMobileConfiguration(
        storage: .directory(directory.appendingPathComponent("events")), subsystems: .standard.subtracting(.hangs)))
    shop = Shop(
      client: ShopClient(shop: server.url), directory: directory,
      defaults: try #require(UserDefaults(suiteName: suite)))
    screen = SimulatedScreen(ShopView(shop))
  }

  private func end() async {
    screen.simulateDisappearance()
    // What is on its way would be recorded by the next test's SDK.
    #expect(await eventually { !shop.isBusy })
    AutoMobileSDK.shared.reset()
    AutoMobileNetwork.shared.stopInterception()
    server.stop()
    UserDefaults.standard.removePersistentDomain(forName: suite)
    try? FileManager.default.removeItem(at: directory)
  }

  /// Waits until the screen says so: requests take their time.
  func sees(_ text: String) async -> Bool { await eventually { screen.texts.contains(text) } }

  func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = Date() + 30
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
