import AutoMobileSupport
import Testing

@testable import AutoMobileRecorder

@Suite struct RingBufferTests {
  @Test(arguments: 1...5) func `a ring is the suffix of what was appended`(capacity: Int) {
    var ring = RingBuffer<Int>(capacity: capacity)
    var all: [Int] = []
    for i in 0..<17 {
      let dropped = ring.append(i)
      all.append(i)
      #expect(dropped == (i >= capacity ? i - capacity : nil))
      #expect(ring.elements == all.suffix(capacity))
    }
    #expect(ring.removeAll() == all.suffix(capacity))
    #expect(ring.isEmpty)
    ring.append(99)
    #expect(ring.elements == [99])
  }
}
