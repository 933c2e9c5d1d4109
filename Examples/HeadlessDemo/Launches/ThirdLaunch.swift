import AutoMobileSDK
import Foundation

/// Comes back, delivers what the others left behind, and ends as apps should. The SDK tells by itself how the launch before
/// ended.
@MainActor
struct ThirdLaunch {
  let app: App

  func run() async {
    let (recording, shop) = (app.recording, app.shop)
    recording.event(SdkLifecycleEvent(state: "foreground", bundleId: App.bundleId, details: ["launch": "cold"]))
    recording.log(.warning, "app", "The previous launch did not end well, starting without restoring screens")
    recording.screen("Welcome back")
    await shop.send("GET", "/v1/orders/R-2041")
    await app.pause(0.4)
    recording.tap("Continue", "Button", x: 187.5, y: 742)
    recording.screen("Menu", ["shop": "Harbour 12"])
    await shop.send("GET", "/v1/menu")
    await app.pause(0.6)
    recording.log(.info, "app", "Order R-2041 was picked up")
    app.preferences.set("order.current", nil)
    recording.event(SdkLifecycleEvent(state: "terminated", bundleId: App.bundleId))
    ShopStorage.open(in: app.directory)
    app.say("done")

    // Whoever started the process sees when everything has arrived, and closes the pipe.
    await Task.detached { _ = FileHandle.standardInput.readDataToEndOfFile() }.value
    AutoMobileSDK.shared.shutdown()
  }
}
