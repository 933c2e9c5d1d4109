import AutoMobileReplay
import AutoMobileSDK
import CoffeeShop
import Foundation
import LocalAuthentication
import Network
import SwiftUI
import UIKit

/// A phone on which the coffee shop's app is started, and what the system does there.
@MainActor final class Phone {
  let client: ShopClient
  let shop: Shop
  let window: UIWindow
  let screen: SimulatedScreen
  let witness: Witness?
  private let frames: Witness?
  let recorded: RecordedEvents
  private let scene = UIWindowScene()
  private let display = Display()

  init(_ arguments: Arguments) throws {
    let documents = try Home.move(to: arguments.directory)
    UIApplication.shared.simulateLaunch()
    UIApplication.shared.simulateConnection(of: scene)
    LAContext.simulateDevice(obstacle: nil)
    NWPathMonitor.simulateSearch()
    UIDevice.current.simulateBattery(level: 0.62, state: .unplugged)
    DatabaseInspector.shared.setDriver(SQLiteDatabaseDriver(searchPaths: [documents.path]))
    // Asked more often than usual, so that the hang to come is measured to a tenth of a second.
    AutoMobileHangs.shared.pollIntervalMs = 100

    if let defaults = SimulatedDefaults(suiteName: "com.example.coffeeshop") {
      StandInApp.install(version: "2.4.0", build: "417", defaults: defaults)
    }

    frames = arguments.frames.flatMap { Witness($0) }
    CountedCapture.install(frames)

    // From here on as in the app's own main program.
    var configuration = AutoMobileConfiguration(
      endpoint: arguments.endpoint, apiKey: arguments.key, storage: .directory(arguments.directory))
    if arguments.keeps { configuration.upload = .whenTriggered(.story(pace: arguments.pace)) }
    FlightRecorder.start(configuration)
    witness = arguments.witness.flatMap { Witness($0) }
    recorded = RecordedEvents(witness)
    client = ShopClient(shop: arguments.shop)
    shop = Shop(
      client: client, directory: documents,
      defaults: SimulatedDefaults(suiteName: FlightRecorder.appGroup) ?? .standard)
    window = UIWindow(windowScene: scene)
    window.backgroundColor = .white
    screen = SimulatedScreen(ShopView(shop), in: window)
  }

  /// Somebody taps the app's icon, or comes back to it.
  func open() {
    window.makeKeyAndVisible()
    UIApplication.shared.simulateActivation()
    NWPathMonitor.simulateFinding()
    screen.simulateAppearance()
    display.start()
  }

  /// A link somewhere else leads back into the app.
  func open(_ link: String) {
    if let url = URL(string: link) { screen.simulateOpening(url) }
    comeBack()
  }

  func comeBack() {
    UIApplication.shared.simulateActivation()
    display.start()
  }

  /// The way to the home screen.
  func leave() {
    display.stop()
    UIApplication.shared.simulateLeaving()
  }

  /// The replay ends now, by the app's own word.
  func noteStop() { frames?.set(CountedCapture.stopTime, to: Int(Date().timeIntervalSince1970 * 1000)) }

  func loseWiFi() { NWPathMonitor.simulateChange(to: .simulated(.satisfied, [.cellular], isExpensive: true)) }

  func drain(to level: Float) { UIDevice.current.simulateBattery(level: level, state: .unplugged) }

  /// Nothing moves on the display any more, and all that was recorded has been counted.
  func rest() async throws {
    display.stop()
    try await recorded.settle()
  }
}
