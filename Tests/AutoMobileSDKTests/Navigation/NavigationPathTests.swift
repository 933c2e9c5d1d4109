import AutoMobileSupport
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// A15: what a path's change is, and who is heard when two tell of the same screen.
@Suite struct NavigationPathTests {
  @Test(
    arguments: [
      ([], [1], NavigationPathChange.push), ([1], [1, 1], .push), ([1], [1, 2, 3], .push), ([1, 2], [1], .pop),
      ([1, 1], [1], .pop), ([1, 2, 3], [1], .pop), ([1, 2], [], .popToRoot), ([1], [], .popToRoot),
      ([1], [2], .replace),
      ([1, 2], [3], .replace), ([1, 2], [2], .replace), ([1, 2], [3, 4], .replace), ([1], [2, 3], .replace),
      ([], [], nil), ([1, 2], [1, 2], nil), ([1, 2], [3, 2], nil),
    ] as [([Int], [Int], NavigationPathChange?)])
  func `a path that changes was pushed to, popped, or replaced`(
    before: [Int], after: [Int], change: NavigationPathChange?
  ) {
    #expect(NavigationPathChange.between(before, after) == change)
  }

  private func adapter() -> (SwiftUINavigationAdapter, () -> [String]) {
    let heard = Locked<[String]>([])
    let adapter = SwiftUINavigationAdapter { event in heard.withLock { $0.append(event.destination) } }
    adapter.start()
    return (adapter, { heard.withLock { $0 } })
  }

  @Test func `a screen of which path and view tell is heard of once, whoever is first`() {
    let (adapter, heard) = adapter()
    func path(_ name: String) { adapter.trackPath(destination: name, arguments: [:], change: .push, depth: 1) }
    path("product")
    adapter.trackNavigation(destination: "product", arguments: ["id": "7"])
    adapter.trackNavigation(destination: "menu")
    path("menu")
    #expect(heard() == ["product", "menu"])
    // Another product on top of a product, and the view that comes back from under a tab.
    path("product")
    adapter.trackNavigation(destination: "product")
    path("product")
    adapter.trackNavigation(destination: "product")
    adapter.trackNavigation(destination: "product")
    #expect(heard() == ["product", "menu", "product", "product", "product"])
  }

  @Test func `a view that tells each time it appears is heard each time, and so is a path`() {
    let (adapter, heard) = adapter()
    for _ in 0..<3 { adapter.trackNavigation(destination: "a") }
    for _ in 0..<2 { adapter.trackPath(destination: "b", arguments: [:], change: nil, depth: 0) }
    adapter.stop()
    adapter.trackNavigation(destination: "b")
    adapter.start()
    adapter.trackNavigation(destination: "b")
    #expect(heard() == ["a", "a", "a", "b", "b", "b"])
  }
}
