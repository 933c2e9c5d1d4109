import AutoMobileSDK
import Foundation

/// What a person does in the app, and what the app does then.
@MainActor struct Visit {
  private let client: ShopClient
  private let history: OrderHistory
  private let settings: UserDefaults?
  private let witness: Witness?
  private let recorded: RecordedEvents
  private let pace: Double

  init(_ arguments: Arguments) throws {
    let documents = try Home.move(to: arguments.directory)
    Recorder.start(arguments, documents: documents)
    witness = arguments.witness.flatMap { Witness($0) }
    recorded = RecordedEvents(witness)
    client = ShopClient(shop: arguments.shop)
    history = try OrderHistory(documents.appendingPathComponent("orders.sqlite"))
    settings = UserDefaults(suiteName: Recorder.suite)
    pace = arguments.pace
  }

  // MARK: The three launches

  /// Orders, pays at the second attempt; then stock is synchronised by four threads at once, in the middle of which somebody else
  /// ends the process.
  func orders() async throws {
    try await looksAtTheMenu()
    await logsIn()
    settings?.set(true, forKey: "favourite.oatMilk")
    settings?.set("Mira", forKey: "pickup.name")
    let drinks = try await client.menu().filter { ["flat-white", "pumpkin-latte"].contains($0.name) }
    for (number, drink) in drinks.enumerated() {
      Recorder.tap(drink.title, "MenuRow", y: 220 + 60 * Double(number))
      Recorder.screen("drink", ["drink": drink.name])
      try await client.look(at: drink)
      await pauses(0.6)
      Recorder.tap("Add to cart", y: 742)
      try await client.add(CartItem(id: number, drink: drink, hasOatMilk: true))
      AutoMobileSDK.shared.trackEvent(name: "drink_added", properties: ["drink": drink.name])
    }
    // There is never any news: the request is under way until the process ends.
    Task { [client] in try await client.stockChanges() }
    try await pays(for: drinks)

    try await recorded.settle()
    PlainDemo.say("burst")
    Stock.synchronise(witness)
    while true { try await Task.sleep(nanoseconds: 60_000_000_000) }
  }

  /// Comes back to the order by a link, is told that there are no points for it; then the main thread is blocked, and a bad pointer
  /// ends it.
  func comesBackAndCrashes() async throws {
    try await looksAtTheMenu()
    if let link = URL(string: "coffeeshop://orders/R-2041?utm_source=mail") {
      AutoMobileSDK.shared.openURL(link, sourceApplication: nil)
    }
    try await looksAtTheOrder(by: .deepLink)
    Recorder.tap("Earn points", y: 640)
    do {
      try await client.earnPoints(for: "R-2041")
    } catch {
      AutoMobileFailures.shared.recordHandledException(error, message: "No points were added")
    }
    // A machine that stops the whole process meanwhile, as virtual ones do, takes that off the hang: then once more.
    for _ in 0..<3 where !recorded.hasSeenHang {
      Recorder.tap("Hang for 2.5 s", y: 480)
      block(seconds: 2.5)
      // The app crashes soon; whoever counts has to have seen the hang before.
      try await recorded.waitForHang()
    }
    try await recorded.settle()
    PlainDemo.say("crash")
    crash()
  }

  /// Comes back, delivers what the others left behind, and ends as apps should.
  func comesBack() async throws {
    try await looksAtTheMenu()
    Recorder.tap("Orders", y: 700)
    Recorder.screen("orders", ["count": String(history.all().count)])
    await pauses(0.4)
    Recorder.tap("R-2041, 9.10 €", "OrderRow", y: 210)
    try await looksAtTheOrder(by: .custom)
    AutoMobileLog.shared.i("app", "Order R-2041 was picked up")
    try await waits()
  }

  /// Whoever started the process sees when everything has arrived, and closes the pipe.
  func waits() async throws {
    PlainDemo.say("done")
    await Task.detached { _ = FileHandle.standardInput.readDataToEndOfFile() }.value
    await AutoMobileSDK.shared.shutdownAndDeliver()
    try await recorded.settle()
  }

  // MARK: Their parts

  private func looksAtTheMenu() async throws {
    AutoMobileLog.shared.i("app", "Coffee shop \(Recorder.version) is ready")
    Recorder.screen("menu")
    _ = try await client.menu()
    await pauses(0.6)
  }

  private func logsIn() async {
    Recorder.tap("Log in", y: 320)
    AutoMobileSDK.shared.setUserId("mira@example.com")
    AutoMobileSDK.shared.setTag("plan", value: "regular")
    let points = try? await client.points()
    AutoMobileLog.shared.d("account", "\(points ?? 0) points")
    await pauses(0.4)
  }

  private func pays(for drinks: [Drink]) async throws {
    Recorder.screen("cart", ["items": String(drinks.count)])
    await pauses(0.4)
    Recorder.tap("Check out, 9.10 €", y: 742)
    Recorder.screen("checkout")
    _ = try await client.pickupTimes()
    var order: String?
    for attempt in 1...3 where order == nil {
      Recorder.tap("Pay 9.10 €", y: 742)
      do {
        order = try await AutoMobileSDK.shared.span("checkout", attributes: ["attempt": .int(Int64(attempt))]) {
          try await AutoMobileSDK.shared.span("payment", kind: .client) { try await client.pay() }
        }
      } catch {
        AutoMobileLog.shared.e("checkout", "The payment failed at attempt \(attempt): \(error)")
        await pauses(0.6)
      }
    }
    guard let order else { return }
    try history.add(Order(id: order, total: drinks.reduce(0) { $0 + $1.price }, items: drinks.count))
    AutoMobileSDK.shared.trackEvent(name: "order_placed", properties: ["order": order])
    try await looksAtTheOrder(by: .custom)
  }

  private func looksAtTheOrder(by source: NavigationSource) async throws {
    Recorder.screen("order", ["order": "R-2041"], by: source)
    let state = try await client.state(of: "R-2041")
    AutoMobileLog.shared.i("order", "R-2041 is \(state)")
    await pauses(0.4)
  }

  // MARK: Time

  /// As long as a person takes; shorter or longer by a third.
  private func pauses(_ seconds: Double) async {
    // Two taps within a tenth of a second would be one.
    let varied = max(0.12, seconds * pace * Double.random(in: 0.67...1.33))
    try? await Task.sleep(nanoseconds: UInt64(varied * 1e9))
  }

  /// Computes on the main thread, which then answers nobody: the SDK notices by itself.
  private func block(seconds: Double) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    var ink = 0.0
    while DispatchTime.now().uptimeNanoseconds < end { ink += sin(ink + 1) }
    withExtendedLifetime(ink) {}
  }

  /// Writes where nothing may be written.
  private func crash() { UnsafeMutablePointer<Int>(bitPattern: 0x18)?.pointee = 1 }
}
