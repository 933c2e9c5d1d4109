import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// B5: which screen the frames belong to.
@MainActor @Suite struct FrameMonitorTests {
  private final class Box { var events: [SdkCustomEvent] = [] }

  @Test func `B5: each screen has its sum, the one of the slow second too`() {
    let (box, screens) = (Box(), CurrentScreen())
    screens.note("menu")
    let monitor = FrameMonitor(currentScreen: screens) { box.events.append($0) }
    var time = 0.0
    func show(_ count: Int, every seconds: Double) {
      for _ in 0..<count {
        time += seconds
        monitor.frame(at: time, nominal: 1 / 60)
      }
    }
    show(100, every: 1 / 60)
    screens.note("product")
    show(10, every: 1 / 60)
    show(1, every: 1)
    show(1, every: 1 / 60)
    monitor.pause()
    #expect(box.events.allSatisfy { $0.name == "Frames" })
    let told = box.events.map(\.typedProperties)
    #expect(told.map { $0["screen"] } == ["menu", "product", "product"])
    #expect(told.map { $0["scope"] } == ["screen", "second", "screen"])
    #expect(told[0]["frames"] == .int(99) && told[0]["slow"] == .int(0))
    #expect(told[2]["slow"] == .int(1) && told[2]["frozen"] == .int(1))
    monitor.pause()
    #expect(box.events.count == 3)
  }

  @Test func `before the first screen has a name, frames have none`() {
    let box = Box()
    let monitor = FrameMonitor(currentScreen: CurrentScreen()) { box.events.append($0) }
    monitor.frame(at: 1, nominal: 1 / 60)
    monitor.frame(at: 1.1, nominal: 1 / 60)
    monitor.pause()
    #expect(box.events.count == 2)
    #expect(box.events.allSatisfy { $0.typedProperties["screen"] == nil })
  }
}
