import AllocationCounter
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// Exact counts of heap allocations, of the thread that encodes.
@Suite(.enabled(if: allocation_counter_available())) struct `Allocations of frames` {
  private func allocations(_ body: () -> Void) -> Int {
    body()
    let before = allocation_counter_thread_count()
    for _ in 0..<100 { body() }
    return Int(allocation_counter_thread_count() - before)
  }

  @Test func `a screen that stands costs none`() {
    let encoder = FrameEncoder(codec: RawCodec())
    let picture = Picture.make(312, 675)
    _ = encoder.encode(picture, at: 0)
    #expect(allocations { _ = encoder.encode(picture, at: 1) } == 0)
  }

  @Test func `looking for what scrolled costs none`() {
    let finder = MoveFinder(width: 312, height: 675)
    let (old, new) = (Picture.make(312, 675), Picture.make(312, 675))
    old.drawList(offset: 0)
    new.drawList(offset: 40)
    #expect(allocations { finder.find(from: old, to: new) } == 0)
    #expect(finder.moves.map(\.dy) == [-40])
  }

  @Test func `pictures are used again`() {
    let pool = PicturePool(limit: 2)
    #expect(
      allocations {
        guard let picture = pool.take(width: 312, height: 675) else { return }
        pool.giveBack(picture)
      } == 0)
    let first = pool.take(width: 312, height: 675)
    let second = pool.take(width: 312, height: 675)
    #expect(first != nil && second != nil && pool.take(width: 312, height: 675) == nil)
  }
}
