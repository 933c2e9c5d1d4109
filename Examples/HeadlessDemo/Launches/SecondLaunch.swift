import AutoMobileSDK
import Foundation

/// Comes back to the order, blocks the main thread over a receipt, and dies of a bad pointer.
@MainActor
struct SecondLaunch {
  let app: App

  func run() async {
    let (recording, shop, preferences) = (app.recording, app.shop, app.preferences)
    recording.event(SdkLifecycleEvent(state: "foreground", bundleId: App.bundleId, details: ["launch": "cold"]))
    recording.log(.info, "app", "Order R-2041 is still being prepared")

    recording.screen("Orders")
    await shop.send("GET", "/v1/orders")
    await app.pause(0.5)
    recording.tap("R-2041", "OrderRow", x: 160, y: 210)
    recording.screen("Order", ["order": "R-2041"])
    await shop.send("GET", "/orders/R-2041")
    await app.pause(0.5)
    await shop.send(
      "POST", "/graphql", body: ["operationName": "Loyalty", "query": "query Loyalty { loyalty { points tier } }"])
    recording.tap("Earn points", "Button", x: 187.5, y: 640)
    let points = await shop.send("POST", "/v1/loyalty/points", body: ["order": "R-2041"])
    if points?.status != 200 {
      AutoMobileFailures.shared.recordHandledException(
        LoyaltyError.noAccount(status: points?.status ?? 0), message: "Points were not added")
      recording.counted()
    }
    await app.pause(0.4)
    recording.tap("Show receipt", "Button", x: 187.5, y: 700)
    recording.screen("Receipt", ["order": "R-2041"])
    await drawReceipt()
    preferences.set("receipt.seen", "R-2041")
    recording.log(.warning, "receipt", "Drawing took far too long for the main thread")

    recording.tap("Share", "Button", x: 340, y: 62)
    recording.log(.fault, "receipt", "The image's memory is gone, drawing anyway")
    app.say("crash")
    crash()
  }

  /// Draws on the main thread, which then answers nobody: the SDK notices by itself.
  private func drawReceipt() async {
    block(seconds: 2.5)
    // The app crashes soon; whoever counts has to have seen the hang before.
    for _ in 0..<100 where !app.automatic.hasSeenHang {
      try? await Task.sleep(nanoseconds: 50_000_000)
    }
  }

  /// Computes, so that the thread is really busy.
  private func block(seconds: Double) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    var ink = 0.0
    while DispatchTime.now().uptimeNanoseconds < end { ink += sin(ink + 1) }
    withExtendedLifetime(ink) {}
  }

  private func crash() {
    UnsafeMutablePointer<Int>(bitPattern: 0x18)?.pointee = 1
  }
}

/// What can go wrong with points.
private enum LoyaltyError: Error {
  case noAccount(status: Int)
}
