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

  @Test func `function, cause, app and kind do`() {
    let one = Self.name(Self.crash(["pay", "checkout", "main"]))
    #expect(one != Self.name(Self.crash(["pay2", "checkout", "main"])))
    #expect(one != Self.name(Self.crash(["pay", "checkout", "main"], signal: "SIGABRT")))
    #expect(one != Self.name(Self.crash(["pay", "checkout", "main"]), bundleId: "other"))
    #expect(one != Self.name(Self.crash(["pay", "checkout", "main"], kind: .failure)))
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

  @Test(arguments: [
    ("shop.Cart.total(of: Swift.Int) -> Swift.Int", "Cart.total(of:)"),
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
    ("main", "main"), ("", ""), (")))((", ")))(("), ("<<<<(", "<<<<("),
  ])
  func `names are shown as people say them`(demangled: String, short: String) {
    #expect(FunctionName.short(demangled) == short)
  }
}
