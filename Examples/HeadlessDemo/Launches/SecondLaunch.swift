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
    await shop.send("GET", "/v1/orders/R-2041")
    await app.pause(0.5)
    recording.tap("Earn points", "Button", x: 187.5, y: 640)
    let points = await shop.send("POST", "/v1/loyalty/points", body: ["order": "R-2041"])
    if points?.status != 200 {
      recording.event(
        SdkHandledExceptionEvent(
          errorDomain: "LoyaltyError", errorMessage: "No account is linked (\(points?.status ?? 0))",
          stackTrace: Thread.callStackSymbols.joined(separator: "\n"), customMessage: "Points were not added",
          currentScreen: "Order", bundleId: App.bundleId, appVersion: App.version, deviceInfo: App.device))
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

  /// Draws on the main thread, which then answers nobody; a thread that asks it again and again sees for how long.
  private func drawReceipt() async {
    let watched = app.recording.on(counter: 1)
    async let noticed: Void = withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let blocked = Self.firstHang()
        watched.event(
          SdkHangEvent(
            durationMs: (blocked * 10).rounded() / 10,
            stackTrace: "0  Receipt.drawShadow(of:)\n1  Receipt.draw()\n2  ReceiptScreen.body",
            bundleId: App.bundleId))
        continuation.resume()
      }
    }
    // The watching thread has to be there before the main thread is gone.
    try? await Task.sleep(nanoseconds: 100_000_000)
    block(seconds: 2.5)
    await noticed
  }

  /// Waits until the main thread has not answered for two seconds, and then until it does.
  ///
  /// - Returns: how long it took, in milliseconds.
  private nonisolated static func firstHang() -> Double {
    while true {
      let asked = DispatchTime.now().uptimeNanoseconds
      let answered = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { answered.signal() }
      answered.wait()
      let waited = Double(DispatchTime.now().uptimeNanoseconds - asked) / 1e6
      if waited >= 2000 { return waited }
      usleep(10_000)
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
