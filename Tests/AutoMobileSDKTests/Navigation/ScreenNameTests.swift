import Testing

@testable import AutoMobileInterface

/// A15: which view controllers are screens.
@Suite struct ScreenNameTests {
  @Test func `A15: a class of the app's is a screen by its name`() {
    #expect(
      ScreenName.of(
        "ProductViewController", ancestry: ["Shop.ProductViewController", "UIViewController"], isOfApp: true)
        == "ProductViewController")
  }

  @Test func `A15: what the system brings, and what hosts SwiftUI, is none`() {
    #expect(ScreenName.of("UIAlertController", ancestry: ["UIAlertController"], isOfApp: false) == nil)
    let hosts = ["Shop.ProfileHost", "SwiftUI.UIHostingController<Shop.Profile>", "UIViewController"]
    #expect(ScreenName.of("ProfileHost", ancestry: hosts, isOfApp: true) == nil)
  }

  @Test func `a name that goes on and on is cut`() throws {
    let name = String(repeating: "Generic<", count: 10_000)
    #expect(try #require(ScreenName.of(name, ancestry: [name], isOfApp: true)).utf8.count < 300)
    #expect(ScreenName.of("", ancestry: [], isOfApp: true) == nil)
  }
}
