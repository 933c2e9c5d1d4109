import AllocationCounter
import AutoMobileSDK
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct CurrentScreenTests {
  @Test func `the screen is the last one that was navigated to`() throws {
    let harness = try SdkHarness()
    let screen = harness.sdk.currentScreen
    #expect(screen.name == nil)
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "menu", source: .custom))
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "Checkout – étape 2", source: .custom))
    #expect(screen.name == "Checkout – étape 2")
    harness.sdk.reset()
    #expect(screen.name == nil)
  }

  @Test func `a provider knows better, unless it knows nothing`() {
    let screen = CurrentScreen()
    screen.note("menu")
    screen.setProvider { "basket" }
    #expect(screen.name == "basket")
    screen.setProvider { nil }
    #expect(screen.name == "menu")
    screen.setProvider(nil)
    #expect(screen.name == "menu")
    #expect(screen.noted == "menu")
  }

  @Test func `a long name is cut between two characters`() {
    let screen = CurrentScreen()
    screen.note(String(repeating: "é", count: 1000))
    #expect(screen.name == String(repeating: "é", count: CurrentScreen.maximumLength / 2))
    screen.note("a" + String(repeating: "é", count: 1000))
    #expect(screen.name == "a" + String(repeating: "é", count: CurrentScreen.maximumLength / 2 - 1))
  }

  @Test func `while threads navigate, nobody reads half a name`() {
    let screen = CurrentScreen()
    let names = (0..<4).map { String(repeating: "\($0)", count: 20 + $0 * 50) }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<5000 {
        if thread % 2 == 0 {
          screen.note(names[thread / 2])
        } else if let name = screen.name {
          #expect(names.contains(name))
        }
      }
    }
  }

  @Test(.enabled(if: allocation_counter_available()))
  func `noting a screen allocates nothing`() {
    let screen = CurrentScreen()
    let name = "a screen whose name does not lie in the string itself"
    screen.note(name)
    let before = allocation_counter_thread_count()
    for _ in 0..<100 { screen.note(name) }
    #expect(allocation_counter_thread_count() == before)
  }
}
