import Testing

@testable import AutoMobileInterface

@Suite struct TextNumbersTests {
  @Test func `texts are numbered as they come, and found by their bytes`() {
    var numbers = TextNumbers(capacity: 600)
    #expect(numbers.number(of: "row") == nil)
    // The second is the first in another form of the same letter.
    let texts = ["row", "caf\u{E9}", "cafe\u{301}", "", "a\0b"] + (0..<500).map { "ProductList.Row.\($0)" }
    for (number, text) in texts.enumerated() {
      #expect(numbers.number(of: text) == nil)
      #expect(numbers.add(text) == number)
    }
    for (number, text) in texts.enumerated() { #expect(numbers.number(of: text) == number) }
    #expect(numbers.count == texts.count)
    #expect(numbers.number(of: "ProductList.Row.500") == nil)
  }

  @Test func `there are no more than there may be`() {
    var numbers = TextNumbers(capacity: 3)
    let given = ["a", "b", "c", "d"].map { numbers.add($0) }
    #expect(given == [0, 1, 2, nil])
    #expect(numbers.number(of: "c") == 2)
    #expect(numbers.number(of: "d") == nil)
  }
}
