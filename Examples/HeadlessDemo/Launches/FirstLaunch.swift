import AutoMobileSDK
import Foundation

/// Looks at the menu, orders, pays at the second attempt — and then stock is synchronised by four threads at once, in the
/// middle of which somebody else ends the process.
@MainActor
struct FirstLaunch {
  let app: App

  func run() async {
    let (recording, shop, preferences) = (app.recording, app.shop, app.preferences)
    recording.event(SdkLifecycleEvent(state: "foreground", bundleId: App.bundleId, details: ["launch": "cold"]))
    recording.log(.info, "app", "Roastery \(App.version) is ready, restored the basket from disk")

    recording.screen("Menu", ["shop": "Harbour 12"])
    await shop.send("GET", "/v1/menu")
    await app.pause(0.7)
    recording.log(.debug, "images", "7 thumbnails from the cache, 2 loaded")
    recording.tap("Seasonal", "SegmentedControl", x: 214.5, y: 118)
    await shop.send("GET", "/v1/menu?section=seasonal")
    await app.pause(0.5)

    recording.tap("Flat white", "MenuRow", x: 160, y: 342.5)
    recording.screen("Drink", ["drink": "flat-white"])
    await shop.send("GET", "/v1/drinks/flat-white")
    await app.pause(0.6)
    recording.tap("Oat milk", "Toggle", x: 312, y: 480)
    recording.track("drink_customised", ["drink": "flat-white", "milk": "oat", "shots": "2"])
    preferences.set("favourite.milk", "oat")
    await app.pause(0.4)
    recording.tap("Add to basket", "Button", x: 187.5, y: 742)
    await shop.send("POST", "/v1/basket/items", body: ["drink": "flat-white", "milk": "oat", "size": "large"])
    preferences.set("basket.count", "1", type: "int")
    await app.pause(0.4)

    recording.screen("Menu", ["shop": "Harbour 12"])
    recording.tap("Cardamom bun", "MenuRow", x: 160, y: 512)
    await shop.send("GET", "/v1/drinks/cardamom-bun")
    recording.log(.warning, "shop", "“cardamom-bun” is on the menu but has no page")
    await app.pause(0.5)
    recording.tap("Filter, Kenya", "MenuRow", x: 160, y: 398)
    recording.screen("Drink", ["drink": "filter-kenya"])
    await shop.send("GET", "/v1/drinks/filter-kenya")
    await app.pause(0.5)
    recording.tap("Add to basket", "Button", x: 187.5, y: 742)
    await shop.send("POST", "/v1/basket/items", body: ["drink": "filter-kenya", "size": "small"])
    preferences.set("basket.count", "2", type: "int")

    recording.screen("Basket", ["items": "2"])
    await shop.send("GET", "/v1/basket")
    await app.pause(0.6)
    recording.log(.info, "basket", "2 items, 8.40 €, pick-up at Harbour 12")
    recording.tap("Check out", "Button", x: 187.5, y: 742)
    recording.screen("Checkout", ["items": "2", "total": "8.40"])
    await shop.send("GET", "/v1/pickup-times")
    await app.pause(0.5)
    recording.tap("Pay 8.40 €", "Button", x: 187.5, y: 742)
    let paid = await shop.send("POST", "/v1/checkout", body: ["payment": "card", "pickup": "soon"])
    if paid?.status != 201 {
      recording.log(.error, "checkout", "Payment failed with status \(paid?.status ?? 0), asking again")
      await app.pause(0.6)
      recording.tap("Try again", "Button", x: 187.5, y: 600)
      await shop.send("POST", "/v1/checkout", body: ["payment": "card", "pickup": "soon"])
    }
    preferences.set("basket.count", nil, type: "int")
    preferences.set("order.current", "R-2041")
    recording.track("order_placed", ["order": "R-2041", "items": "2", "total": "8.40"])

    recording.screen("Order", ["order": "R-2041"])
    await shop.send("GET", "/v1/orders/R-2041")
    await app.pause(0.4)
    recording.log(.info, "sync", "Synchronising stock in the background, 4 workers")
    app.say("burst")
    await synchroniseStock()
  }

  /// Never returns: the process is killed while these threads record.
  private func synchroniseStock() async -> Never {
    let recording = app.recording
    for worker in 1...4 {
      Thread.detachNewThread {
        let own = recording.on(counter: worker)
        var article = worker * 100_000
        while true {
          for _ in 0..<20 {
            article += 1
            own.log(.debug, "sync", "worker \(worker): article \(article) is up to date")
          }
          usleep(4000)
        }
      }
    }
    while true { try? await Task.sleep(nanoseconds: 60_000_000_000) }
  }
}
