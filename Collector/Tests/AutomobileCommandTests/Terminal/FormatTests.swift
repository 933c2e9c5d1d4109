import Testing

@testable import automobile

@Suite struct `Times and numbers` {
  @Test(arguments: [
    (0.0, "0 ms"), (340, "340 ms"), (2510, "2.5 s"), (59_400, "59 s"), (200_000, "3 min 20 s"), (3_600_000, "1 h"),
    (90_000_000, "1 d 1 h"), (-1, "–"), (.nan, "–"), (.infinity, "–"), (1e300, "–"),
  ])
  func `durations have at most two units`(ms: Double, text: String) {
    #expect(Format.duration(milliseconds: ms) == text)
  }

  @Test(arguments: [
    (Int64(7412), "0:07.412"), (760_003, "12:40.003"), (3_723_004, "1:02:03.004"), (-1500, "-0:01.500"),
    (.max, "2562047788015:12:55.807"), (.min, "-2562047788015:12:55.808"),
  ])
  func `offsets are minutes, seconds and milliseconds`(ms: Int64, text: String) {
    #expect(Format.offset(milliseconds: ms) == text)
  }

  @Test(arguments: [Int64.min, .max, -1, 0, 8_640_000_000_000_000])
  func `times from broken clocks do no harm`(ms: Int64) {
    _ = Format.time(ms)
    _ = Format.ago(ms, now: 1_790_000_000_000)
    _ = Format.ago(1_790_000_000_000, now: ms)
  }

  @Test func `counts are grouped`() {
    #expect(Format.count(999) == "999")
    #expect(Format.count(1_234_567) == "1\u{202F}234\u{202F}567")
    #expect(Format.count(-1234) == "-1\u{202F}234")
    #expect(Format.plural(1, "event") == "1 event")
    #expect(Format.plural(2, "launch", "launches") == "2 launches")
  }
}
