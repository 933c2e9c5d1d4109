import Testing

@testable import AutoMobileJournal

@Suite struct SegmentSizesTests {
  @Test func `sizes are kept by index, in order, like a dictionary's`() {
    var sizes = SegmentSizes()
    var model: [UInt64: Int] = [:]
    #expect(sizes.isEmpty)
    for _ in 0..<2000 {
      let index = UInt64.random(in: 0..<40)
      let size = Bool.random() ? Int.random(in: 0..<1000) : nil
      sizes[index] = size
      model[index] = size
      #expect(sizes.keys == model.keys.sorted())
      #expect(sizes[index] == size)
      #expect(sizes.total == model.values.reduce(0, +))
      #expect(sizes.isEmpty == model.isEmpty)
    }
  }
}
