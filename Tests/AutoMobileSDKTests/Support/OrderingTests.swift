import AutoMobileSupport
import TestTools
import Testing

@Suite struct OrderingTests {
  @Test(arguments: [0, 1, 2, 31, 32, 33, 1000])
  func `equal elements keep their order`(count: Int) {
    var random = SeededRandom(UInt64(count))
    let elements = (0..<count).map { (key: Int(random.next() % 7), place: $0) }
    let ordered = elements.ordered { $0.key < $1.key }
    #expect(ordered.map(\.key) == elements.map(\.key).sorted())
    #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.key < $1.key || $0.place < $1.place })
    #expect(Set(ordered.map(\.place)).count == count)
  }

  @Test func `names and numbers are in their order`() {
    #expect(["b": 1, "a": 2, "ä": 3].keys.ordered() == ["b", "a", "ä"].sorted())
    #expect(Set<UInt64>([3, .max, 0]).ordered() == [0, 3, .max])
  }
}
