import Foundation
import SwiftUI
import Testing
import UIKit
import UserNotifications

@testable import AutoMobileInterface
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSystem
@testable import CoffeeShop

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The example's screens, used as people use them. One at a time: they record with the shared SDK.
@MainActor @Suite(.serialized) struct CoffeeShopTests {
  /// An order, from the menu to the receipt.
  private func order(_ stage: Stage) async throws {
    stage.screen.simulateAppearance()
    #expect(await stage.sees("Flat white"))
    try stage.screen.simulateTap("Flat white")
    try stage.screen.simulateTap("Oat milk")
    try stage.screen.simulateTap("Add to cart")
    #expect(await stage.sees("1 in your cart"))
    try stage.screen.simulateTap("To the cart")
    #expect(stage.screen.texts.contains("Flat white, oat milk"))
    try stage.screen.simulateTap("Check out, 4.20 €")
    #expect(await stage.sees("08:40"))
    try await stage.pay()
    #expect(await stage.sees("The payment failed"))
    try await stage.pay()
    #expect(await stage.eventually { stage.screen.title == "Receipt R-2041" })
    #expect(await stage.sees("Your order is preparing"))
  }

  @Test func `an order is recorded with its screens, requests, failure and events`() async throws {
    try await Stage.play { stage in
      try await order(stage)
      try stage.screen.simulateBack()
      #expect(stage.screen.title == "Menu")

      // What was intercepted is recorded a moment after the app has its answer.
      @MainActor func requests() throws -> [SdkNetworkRequestEvent] {
        try stage.recorded().compactMap { $0 as? SdkNetworkRequestEvent }
      }
      // The menu is loaded each time that it appears: it is on its way before somebody goes on.
      #expect(try await stage.eventually { try requests().count >= 8 })
      let lines = try requests().map { "\($0.method) \($0.path ?? "") \($0.statusCode ?? 0)" }.sorted()
      #expect(
        lines == [
          "GET /orders/R-2041 200", "GET /v1/drinks/flat-white 200", "GET /v1/menu 200", "GET /v1/menu 200",
          "GET /v1/pickup-times 200", "POST /v1/basket/items 201", "POST /v1/checkout 201", "POST /v1/checkout 503",
        ])
      try stage.screen.simulateTap("Orders")
      #expect(stage.screen.texts.contains("R-2041, 4.20 €"))
      let events = try stage.recorded()
      #expect(
        events.compactMap { $0 as? SdkNavigationEvent }.filter { $0.source == .swiftUINavigation }.map(\.destination)
          == [
            "menu", "drink", "cart", "checkout", "receipt", "menu", "orders",
          ])
      #expect(
        events.compactMap { ($0 as? SdkCustomEvent)?.name }.filter { $0.contains("_") }
          == ["added_to_cart", "order_placed"])
      #expect(events.compactMap { ($0 as? SdkHandledExceptionEvent)?.customMessage } == ["The payment failed"])
      #expect(events.compactMap { ($0 as? SdkLogEvent)?.level } == [.warning])
      let taps = events.compactMap { $0 as? SdkInteractionEvent }
      #expect(taps.compactMap { $0.properties["accessibilityIdentifier"] }.first == "add to cart")
      #expect(taps.first?.properties["viewType"] == "_UIHostingView", "by the window")
      #expect(AutoMobileSDK.shared.breadcrumbs().contains { $0.message == "paying 4.20 €" })
      let bodies = Dictionary(
        ViewBodyTracker.shared.getSnapshots().map { ($0.id, $0.totalCount) }, uniquingKeysWith: { $1 })
      #expect(Set(bodies.keys) == ["menu", "menu row", "drink", "cart", "checkout"])
      #expect(bodies["menu row"] == 2, "the rows never change")
      #expect((bodies["drink"] ?? 0) >= 3, "it changes with the milk, and with the cart")
    }
  }

  @Test func `a receipt is a view controller of UIKit, with a button that works`() async throws {
    try await Stage.play { stage in
      try await order(stage)
      let receipt = try #require(stage.screen.presentedController as? ReceiptViewController)
      let label = receipt.view.subviews.compactMap { $0 as? UILabel }.first
      #expect(label?.text == "R-2041: 1 drinks, 4.20 €")
      let button = try #require(receipt.view.subviews.compactMap { $0 as? UIButton }.first)
      let middle = CGPoint(x: button.bounds.midX, y: button.bounds.midY)
      stage.window.simulateTap(at: button.convert(middle, to: nil), time: 1_000_000)
      #expect(await stage.sees("No points were added"))
      let tap = try stage.recorded().compactMap { $0 as? SdkInteractionEvent }.last
      #expect(tap?.properties["accessibilityIdentifier"] == "earn-points" && tap?.properties["text"] == "Earn points")
    }
  }

  @Test func `who logs in is the user of the recording, and whoever comes after is not`() async throws {
    try await Stage.play { stage in
      stage.screen.simulateAppearance()
      try stage.screen.simulateTap("Account")
      try stage.screen.simulateTap("Log in")
      #expect(!stage.screen.texts.contains("Log out"), "without a name, the button does nothing")
      try stage.screen.simulateTyping("mira", into: "Name")
      try stage.screen.simulateTyping("secret", into: "Password")
      try stage.screen.simulateTap("Log in")
      #expect(stage.screen.texts.contains("You are mira"))
      #expect(AutoMobileSDK.shared.sdkContext?.userId == "mira")
      AutoMobileBiometrics.shared.overrideResult(.success, ttlMs: 60_000)
      try stage.screen.simulateTap("Show my points")
      #expect(await stage.sees("You have 12 points"))
      try stage.screen.simulateTap("Log out")
      #expect(AutoMobileSDK.shared.sdkContext?.userId == nil)
      #expect(try stage.screen.text(in: "Name") == "mira")
    }
  }

  @Test func `what somebody chooses on a notification is recorded`() async throws {
    try await Stage.play { stage in
      stage.screen.simulateAppearance()
      try stage.screen.simulateTap("Notifications")
      try stage.screen.simulateTap("Tell me when it is ready")
      #expect(await stage.sees("You will be told"))
      let center = UNUserNotificationCenter.current()
      let notification = try #require(center.simulatedNotifications.last)
      #expect(notification.request.content.title == "Your coffee is ready")
      center.simulateResponse("on-my-way", to: notification)
      #expect(
        try await stage.eventually {
          try stage.recorded().contains { ($0 as? SdkNotificationActionEvent)?.actionId == "on-my-way" }
        })
    }
  }

  @Test func `settings are kept in the defaults that the app was given`() async throws {
    try await Stage.play { stage in
      stage.screen.simulateAppearance()
      try stage.screen.simulateTap("Settings")
      try stage.screen.simulateTyping("Mira", into: "Name on the cup")
      try stage.screen.simulateTap("Always oat milk")
      #expect(stage.shop.preferences.pickupName == "Mira" && stage.shop.preferences.likesOatMilk)
      #expect(try stage.screen.isOn("Always oat milk"))
    }
  }

  @Test func `the storage screen shows what the inspectors see, and each change of a setting is recorded`() async throws
  {
    try await Stage.play { stage in
      try await order(stage)
      try stage.screen.simulateBack()
      try stage.screen.simulateTap("Settings")
      try stage.screen.simulateTyping("Mira", into: "Name on the cup")
      try stage.screen.simulateBack()
      try stage.screen.simulateTap("Storage")
      #expect(await stage.sees("orders in orders.sqlite: 1 rows"))
      #expect(await stage.sees("pickup.name"))
      #expect(await stage.sees("Mira"))
      #expect(
        try await stage.eventually {
          try stage.recorded().contains {
            let change = $0 as? SdkStorageChangedEvent
            return change?.key == "pickup.name" && change?.newValue == "Mira" && change?.suiteName == stage.suite
          }
        })
    }
  }

  @Test func `an address leads to a screen, and the app's next opening tells of it`() async throws {
    try await Stage.play { stage in
      let application = UIApplication.shared
      application.simulateLaunch()
      application.simulateActivation()
      stage.screen.simulateAppearance()
      #expect(await stage.sees("Flat white"))
      application.simulateLeaving()
      stage.screen.simulateOpening(try #require(URL(string: "coffeeshop://drinks/flat-white?token=S3CRET")))
      application.simulateActivation()
      #expect(stage.screen.title == "Flat white")
      #expect(
        try await stage.eventually {
          try stage.recorded().contains {
            let event = $0 as? SdkCustomEvent
            return event?.name == "Application Opened"
              && "\(event?.properties["url"] ?? "")".contains("coffeeshop://drinks/flat-white?token=REDACTED")
          }
        })
      stage.screen.simulateOpening(try #require(URL(string: "coffeeshop://orders/R-1")))
      #expect(stage.screen.title == "Orders", "an order that this phone does not know")
      stage.screen.simulateOpening(try #require(URL(string: "https://example.com/cart")))
      #expect(stage.screen.title == "Orders", "somebody else's address")
      application.simulateLaunch()
    }
  }

  @Test func `live updates come over a WebSocket, and what goes over it is recorded`() async throws {
    let server = try await UpdatesServer.start()
    let opening: OrderUpdates.Opening = { url in
      AutoMobileWebSocketTask(
        URLSession.shared.webSocketTask(with: url), over: LoopbackWebSocket(port: server.port),
        network: AutoMobileNetwork.shared)
    }
    try await Stage.play(opening: opening) { stage in
      try await order(stage)
      try stage.screen.simulateTap("Follow it live")
      #expect(stage.screen.title == "Updates")
      try stage.screen.simulateTap("Follow it")
      #expect(await stage.sees("R-2041 is asked"))
      try stage.screen.simulateBack()
      #expect(await stage.eventually { !stage.shop.updates.isConnected })
      // Frames are recorded behind whoever sends and receives them.
      @MainActor func frames() throws -> [SdkWebSocketFrameEvent] {
        try stage.recorded().compactMap { $0 as? SdkWebSocketFrameEvent }
      }
      #expect(
        try await stage.eventually {
          Set(try frames().map { "\($0.direction) \($0.frameType)" }) == ["sent text", "received text", "sent close"]
        })
      #expect(try frames().first?.url.hasSuffix("/v1/updates") == true)
    }
  }

  @Test func `without a WebSocket, the screen says so`() async throws {
    try await Stage.play { stage in
      try await order(stage)
      try stage.screen.simulateTap("Follow it live")
      try stage.screen.simulateTap("Follow it")
      #expect(await stage.sees("There are no live updates"))
    }
  }

  @Test func `trouble that the app survives is recorded, and a mock answers in the shop's place`() async throws {
    try await Stage.play { stage in
      stage.screen.simulateAppearance()
      #expect(await stage.sees("Flat white"))
      try stage.screen.simulateTap("Trouble")
      try stage.screen.simulateTap("Handled error")
      try stage.screen.simulateTap("Failing request")
      #expect(await stage.sees("No points were added"))
      try stage.screen.simulateTap("Mock the menu")
      try stage.screen.simulateBack()
      #expect(await stage.sees("Mock mocha"), "the menu is loaded each time that it appears")
      let failures = try stage.recorded().compactMap { ($0 as? SdkHandledExceptionEvent)?.customMessage }
      #expect(failures == ["Foam is off the menu", "No points were added"])
    }
  }
}
