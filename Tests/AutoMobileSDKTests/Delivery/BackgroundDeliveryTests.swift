import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// The time that is asked for when the app leaves.
@Suite struct BackgroundDeliveryTests {
  /// A system that lends time, and a delivery, both in the test's hands.
  private final class World: Sendable {
    struct State {
      var given = 0
      var returned = 0
      var expire: (@Sendable () -> Void)?
      var turn: (@Sendable () -> Void)?
      var done: (@Sendable () -> Void)?
    }

    let state = Locked(State())

    func delivery(lends: Bool = true, isExpiredAtOnce: Bool = false, isWanted: Bool = true) -> BackgroundDelivery {
      BackgroundDelivery(
        isWanted: { isWanted },
        begin: { onExpiration in
          self.state.withLock { $0.expire = onExpiration }
          if isExpiredAtOnce { onExpiration() }
          guard lends else { return nil }
          self.state.withLock { $0.given += 1 }
          return { self.state.withLock { $0.returned += 1 } }
        }, afterwards: { body in self.state.withLock { $0.turn = body } },
        deliver: { completion in self.state.withLock { $0.done = completion } })
    }

    func turn() { state.withLock { $0.turn }?() }
    func finish() { state.withLock { $0.done }?() }
    func expire() { state.withLock { $0.expire }?() }
    var counts: [Int] { state.withLock { [$0.given, $0.returned] } }
  }

  @Test func `lasts until what there is has been delivered`() {
    let world = World()
    world.delivery().run()
    #expect(world.counts == [1, 0])
    #expect(world.state.withLock { $0.done == nil }, "others who hear of the leaving record it first")
    world.turn()
    #expect(world.counts == [1, 0])
    world.finish()
    #expect(world.counts == [1, 1])
    world.expire()
    #expect(world.counts == [1, 1])
  }

  @Test func `is not asked for while nothing may be sent`() {
    let world = World()
    world.delivery(isWanted: false).run()
    #expect(world.counts == [0, 0] && world.state.withLock { $0.turn == nil && $0.done == nil })
  }

  @Test func `is given back when the system wants it, once`() {
    let world = World()
    world.delivery().run()
    world.expire()
    #expect(world.counts == [1, 1])
    world.turn()
    world.finish()
    #expect(world.counts == [1, 1])
  }

  @Test func `is given back when it runs out while it is asked for`() {
    let world = World()
    world.delivery(isExpiredAtOnce: true).run()
    #expect(world.counts == [1, 1])
  }

  @Test func `that is not to be had keeps nobody from delivering`() {
    let world = World()
    world.delivery(lends: false).run()
    world.turn()
    world.finish()
    world.expire()
    #expect(world.counts == [0, 0])
  }
}
