import AutoMobileSupport
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

struct SwiftUINavigationAdapterTests {
  @Test func `the adapter reports while it is active`() {
    let reported = Locked<[NavigationEvent]>([])
    let adapter = SwiftUINavigationAdapter { event in reported.withLock { $0.append(event) } }
    #expect(!adapter.isActive)
    adapter.trackNavigation(destination: "before")
    adapter.start()
    adapter.start()
    #expect(adapter.isActive)
    adapter.trackNavigation(destination: "product", arguments: ["id": "42"], metadata: ["from": "list"])
    adapter.stop()
    #expect(!adapter.isActive)
    adapter.trackNavigation(destination: "after")

    let events = reported.withLock { $0 }
    #expect(events.map(\.destination) == ["product"])
    #expect(events.first?.source == .swiftUINavigation)
    #expect(events.first?.arguments == ["id": "42"])
    #expect(events.first?.metadata == ["from": "list"])
  }
}
