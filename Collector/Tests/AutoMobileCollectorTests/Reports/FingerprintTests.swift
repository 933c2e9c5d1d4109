import Testing

@testable import AutoMobileCollector

@Suite struct `Fingerprints` {
  private static func crash(
    _ functions: [String], image: String = "/app/shop", signal: String = "SIGSEGV", base: UInt64 = 0x1000,
    kind: EventReport.Kind = .crash
  ) -> EventReport {
    var event = EventReport(kind: kind)
    event.report.signal = .init(name: signal)
    event.report.images = [.init(name: "shop", path: image), .init(name: "libc.so.6", path: "/usr/lib/libc.so.6")]
    var thread = CrashReport.Thread(isCrashed: true)
    thread.frames = functions.enumerated().map { index, name in
      // "libc: abort" stands in libc.
      let parts = name.split(separator: " ")
      let offset = base + UInt64(index) * 16
      return .init(
        address: offset + 0x4000, image: parts.count > 1 ? 1 : 0, offset: offset,
        symbol: parts.last == "?" ? nil : parts.last.map(String.init))
    }
    event.report.threads = [thread]
    FrameRules.mark(&event.report)
    return event
  }

  private static func name(_ event: EventReport, bundleId: String? = "app") -> String {
    Fingerprint(event, bundleId: bundleId).name
  }

  @Test func `addresses, builds, clones and recursion make no difference`() {
    let one = Self.name(Self.crash(["pay", "checkout", "main"]))
    #expect(one.count == 16)
    #expect(one == Self.name(Self.crash(["pay", "checkout", "main"], base: 0x9000)))
    #expect(one == Self.name(Self.crash(["pay.cold.1", "checkout.isra.0", "main"])))
    #expect(one == Self.name(Self.crash(["pay", "pay", "pay", "checkout", "pay", "main"])))
    #expect(one == Self.name(Self.crash(["libc abort", "libc raise", "pay", "libc qsort", "checkout", "main"])))
    #expect(one == Self.name(Self.crash(["$s13AutoMobileSDK5crashyyF", "pay", "checkout", "main"])))
  }

  @Test(arguments: [
    "Cart.partition()", "Cart.part", "Player.resume", "Player.resume()", "Session.destroyAll()", "a.colder",
  ])
  func `a method whose name is like a suffix of compilers' is a method of its own`(symbol: String) {
    #expect(Fingerprint.withoutCloneSuffix(symbol) == symbol)
    #expect(Fingerprint.withoutCloneSuffix(symbol + ".part.0") == symbol)
    #expect(Fingerprint.withoutCloneSuffix(symbol + ".cold") == symbol)
  }

  @Test func `function, cause, app and kind do`() {
    let one = Self.name(Self.crash(["pay", "checkout", "main"]))
    #expect(one != Self.name(Self.crash(["pay2", "checkout", "main"])))
    #expect(one != Self.name(Self.crash(["pay", "checkout", "main"], signal: "SIGABRT")))
    #expect(one != Self.name(Self.crash(["pay", "checkout", "main"]), bundleId: "other"))
    #expect(one != Self.name(Self.crash(["pay", "checkout", "main"], kind: .failure)))
  }

  @Test func `failures are told apart by what was said, without what varies`() {
    func failure(_ message: String?, error: String? = "503", own: String? = nil) -> String {
      var event = Self.crash(["attempt", "pay", "main"], kind: .failure)
      event.report.signal = nil
      event.errorDomain = "Shop.Failure"
      (event.customMessage, event.errorMessage, event.fingerprint) = (message, error, own)
      return Self.name(event)
    }
    let one = failure("The payment of 12.50 failed")
    #expect(one == failure("The payment of 7 failed", error: "404"))
    #expect(one != failure("No points were added"))
    #expect(failure(nil, error: "declined 4711") == failure(nil, error: "declined 4712"))
    #expect(failure(nil, error: "declined 4711") != failure(nil, error: "refused 4711"))
    // The app's own counts alone.
    #expect(failure("The payment failed", own: "pay") == failure("No points were added", own: "pay"))
    #expect(failure("The payment failed", own: "pay") != failure("The payment failed", own: "points"))
    #expect(failure("The payment failed", own: "pay") != one)
    // A crash is the same whatever values led to it.
    var crash = Self.crash(["pay", "main"])
    let before = Self.name(crash)
    crash.errorMessage = "Index 7 out of range"
    #expect(before == Self.name(crash))
  }

  @Test(
    arguments: [
      ("The payment failed", "The payment failed"),
      ("Order 4711 was refused after 2.5 s", "Order … was refused after … s"),
      ("The file “beans.txt” couldn’t be opened", "The file “…” couldn’t be opened"),
      ("no value for 'user id' in \"x\"", "no value for '…' in \"…\""), ("don't stop o'clock", "don't stop o'clock"),
      ("user 3F2504E0-4F89-11D3-9A0C-0305E82C3301 is gone", "user … is gone"),
      ("at 0x7ffee4c0, token deadbeef01", "at …, token …"),
      ("GET https://api.example.com/v1/orders/4711?key=s3cret: 503", "GET https://api.example.com/v1/orders/…: …"),
      ("mail to mira@example.com bounced", "mail to … bounced"), ("2024-11-24T10:00:00Z late by -3", "…Z late by …"),
      ("utf8 in iOS18", "utf8 in iOS18"), ("order_4711 of R-2041", "order_… of R-…"),
      ("  two\nlines\t here ", "two lines here"),
      ("192.168.0.1:8080 refused", "… refused"), ("4711", nil), ("", nil), ("…", nil), ("\"", nil),
    ] as [(String, String?)])
  func `a message loses what varies`(message: String, template: String?) {
    #expect(MessageTemplate.make(message) == template)
  }

  @Test func `a hostile message is bounded`() {
    for text in [
      String(repeating: "\"", count: 100_000), String(repeating: "1a-", count: 50_000),
      String(repeating: "://", count: 9000),
    ] {
      #expect(MessageTemplate.make(text)?.count ?? 0 <= MessageTemplate.longest)
    }
  }

  @Test func `hangs are told apart by fewer functions, since their stacks move`() {
    let one = Self.name(Self.crash(["libc poll", "layout", "update", "main"], kind: .hang))
    #expect(one == Self.name(Self.crash(["layout", "update", "other"], kind: .hang)))
    #expect(one != Self.name(Self.crash(["layout", "elsewhere"], kind: .hang)))
  }

  @Test func `the function at fault is the app's innermost`() {
    let event = Self.crash(["libc abort", "libc raise", "pay", "main"])
    #expect(Fingerprint(event, bundleId: nil).culprit?.symbol == "pay")
    let system = Self.crash(["libc abort", "libc strlen"], image: "/usr/lib/libshop.so")
    #expect(Fingerprint(system, bundleId: nil).culprit?.symbol == "strlen")
  }

  @Test func `what nobody wrote, and where a program begins, is not at fault`() {
    // A forwarder of a partial application, a reabstraction, `@main`, and what calls it.
    let glue = ["$s4shop4CartV3payyySSFTA", "$sIeg_IegH_TR", "$s4shop3AppO5$mainyyFZ", "shop_main"]
    let event = Self.crash(glue.prefix(2) + ["pay"] + glue.suffix(2) + ["main"])
    #expect(Fingerprint(event, bundleId: nil).culprit?.symbol == "pay")
    #expect(event.report.threads[0].frames.map(\.isInApp) == [false, false, true, false, false, true])
    // They still tell one problem from another as they did.
    #expect(Self.name(event) != Self.name(Self.crash(["pay", "main"])))
    // The name of another program's entry, and functions that end alike, are the app's.
    #expect(Fingerprint(Self.crash(["load_main", "main"]), bundleId: nil).culprit?.symbol == "load_main")
    // Where there is nothing else, the beginning is where it happened; but what hangs in it is the system's.
    #expect(Fingerprint(Self.crash(["libc strlen", "main"]), bundleId: nil).culprit?.symbol == "main")
    let hang = Self.crash(["libc poll", "main", "shop_main"], kind: .hang)
    #expect(Fingerprint(hang, bundleId: nil).culprit?.symbol == "poll")
    #expect(Fingerprint(Self.crash(["main"], kind: .hang), bundleId: nil).culprit == nil)
  }

  @Test(arguments: [
    ("shop.Cart.total(of: Swift.Int) -> Swift.Int", "Cart.total(of:)"),
    (
      "partial apply forwarder for closure #1 @Swift.MainActor @Sendable () -> () in shop.Cart.pay() -> ()",
      "closure #1 in Cart.pay()"
    ),
    (
      "closure #1 (Swift.Int) -> () in shop.Cart.total(of: Swift.Int) throws -> Swift.Int",
      "closure #1 in Cart.total(of:)"
    ),
    ("shop.checkout(shop.Cart) -> Swift.Int", "shop.checkout(_:)"),
    ("generic specialization <Swift.Int> of Swift.Array.subscript.getter : A", "Array.subscript.getter"),
    (
      "Swift._assertionFailure(_: Swift.StaticString, _: Swift.String, file: Swift.StaticString, line: Swift.UInt) -> Swift.Never",
      "_assertionFailure(_:_:file:line:)"
    ),
    ("static shop.Cart.== infix(shop.Cart, shop.Cart) -> Swift.Bool", "Cart.== infix(_:_:)"),
    (
      "protocol witness for shop.Pay.run(with: (Swift.Int, Swift.Int)) -> () in conformance shop.Card : shop.Pay in shop",
      "Pay.run(with:)"
    ),
    ("std::vector<int, std::allocator<int> >::at(unsigned long)", "std::vector::at(_:)"),
    ("shop.Shop.(attempt in _3D4F9C0A11E84D2F)(_: Swift.String, _: () -> ()) -> ()", "Shop.attempt(_:_:)"),
    ("(2) await resume partial function for shop.Shop.pay() async -> Swift.Int", "Shop.pay()"),
    ("main", "main"), ("", ""), (")))((", ")))(("), ("<<<<(", "<<<<("),
  ])
  func `names are shown as people say them`(demangled: String, short: String) {
    #expect(FunctionName.short(demangled) == short)
  }
}
