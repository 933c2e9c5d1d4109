import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileCrashReporting

@Suite struct LatenessTests {
  private func stopped(late: Int64, waited: (Int64, Int64), ran: (Int64, Int64)) -> Int64 {
    var lateness = Lateness(cores: 2)
    _ = lateness.stopped(late: 0, asleep: 0, .init(waited: waited.0, ran: ran.0))
    return lateness.stopped(late: late, asleep: 500, .init(waited: waited.1, ran: ran.1))
  }

  @Test func `what a thread waited for a core it was not stopped for`() {
    #expect(stopped(late: 700, waited: (5_000_000, 705_000_000), ran: (0, 0)) == 0)
    #expect(stopped(late: 700, waited: (5_000_000, 105_000_000), ran: (0, 700_000_000)) == 600)
    #expect(stopped(late: 700, waited: (5_000_000, 5_000_000), ran: (0, 700_000_000)) == 700)
  }

  @Test func `where nobody counts that, a process that had more of two cores than there was before was not stopped`() {
    #expect(stopped(late: 700, waited: (-1, -1), ran: (0, 1_070_000_000)) == 0)
    #expect(stopped(late: 700, waited: (-1, -1), ran: (0, 1_069_000_000)) == 700)
    #expect(stopped(late: 700, waited: (-1, -1), ran: (-1, -1)) == 700)
  }

  @Test func `numbers that go back, and the first look, say nothing`() {
    #expect(stopped(late: 700, waited: (9, 3), ran: (9, 3)) == 700)
    var lateness = Lateness()
    #expect(lateness.stopped(late: 700, asleep: 500, .init(waited: 700_000_000, ran: 1)) == 700)
  }

  @Test func `the kernel's text is read with care`() {
    #expect(am_schedstat_waited("12 345 6\n") == 345)
    #expect(am_schedstat_waited("12 345\n") == 345)
    for text in ["", "12", "12 ", " 12 3 ", "x 3 4", "12 x 4", "12 99999999999999999999999 4"] {
      #expect(am_schedstat_waited(text) == -1, "\(text)")
    }
  }

  #if os(Linux)
  @Test func `the kernel counts`() {
    let before = Lateness.Counters.now()
    var sum = 0.0
    for number in 0..<2_000_000 { sum += Double(number) }
    withExtendedLifetime(sum) {}
    let after = Lateness.Counters.now()
    #expect(after.ran > before.ran)
    #expect(before.waited >= 0 && after.waited >= before.waited)
  }
  #endif
}
