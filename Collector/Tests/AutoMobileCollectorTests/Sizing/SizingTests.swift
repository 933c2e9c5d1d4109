import Foundation
import Testing

@testable import AutoMobileCollector

/// What `automobile size` reckons. That its figures are those of a real index, `collector-bench bytes` compares.
@Suite struct `Sizes of a fleet` {
  private func estimate(_ devices: Double, _ change: (inout Fleet) -> Void = { _ in }) -> SizingEstimate {
    var fleet = Fleet(devices: devices)
    change(&fleet)
    return SizingEstimate(fleet)
  }

  @Test func `events and sessions follow from phones`() {
    let estimate = estimate(1000) { ($0.sessions, $0.events, $0.peak) = (2, 432, 5) }
    #expect(estimate.sessionsPerDay == 2000)
    #expect(estimate.eventsPerDay == 864_000)
    #expect(estimate.meanEventsPerSecond == 10 && estimate.peakEventsPerSecond == 50)
  }

  @Test func `twice the phones take twice of everything but a phone's own traffic`() {
    let (one, two) = (estimate(5000) { $0.replayMinutes = 1 }, estimate(10_000) { $0.replayMinutes = 1 })
    for size in [\SizingEstimate.indexBytes, \.replayBytes, \.logBytes, \.diskBytes, \.receivedPerDay, \.indexLoad] {
      #expect(one[keyPath: size] > 0 && two[keyPath: size] == 2 * one[keyPath: size])
    }
    #expect(one.sentPerDevice > 0 && one.sentPerDevice == two.sentPerDevice)
  }

  @Test func `an index grows with days, length and full text; a replay with its minutes`() {
    let plain = estimate(1000) { $0.fullText = false }
    #expect(estimate(1000).indexBytes > plain.indexBytes)
    #expect(estimate(1000) { ($0.fullText, $0.eventBytes) = (false, 400) }.indexBytes > plain.indexBytes)
    #expect(estimate(1000) { ($0.fullText, $0.days) = (false, 60) }.indexBytes == 2 * plain.indexBytes)
    #expect(plain.replayBytes == 0)
    // An hour a session, 3 sessions a day, 30 days.
    #expect(estimate(1) { $0.replayMinutes = 60 }.replayBytes == 90 * MeasuredFigures.replayHour)
  }

  @Test func `a cluster's disks grow with days, its cores with the busiest second`() {
    let (one, longer) = (estimate(1_000_000), estimate(1_000_000) { $0.days = 60 })
    #expect(one.storedBytes > 0 && longer.storedBytes == 2 * one.storedBytes && one.storedBytes < one.indexBytes)
    #expect(longer.coresToStore == one.coresToStore)
    let busier = estimate(1_000_000) { $0.peak = 8 }
    for cores in [\SizingEstimate.coresToStore, \.coresToSend] {
      #expect(one[keyPath: cores] > 0 && busier[keyPath: cores] == 2 * one[keyPath: cores])
    }
  }

  @Test func `what one collector does, and no longer`() {
    #expect(estimate(200).verdict == .fits)
    #expect(estimate(20_000).verdict == .beyondMeasured)
    // 179 000 a second with full text: 0.7 of that at four times the mean.
    #expect(estimate(3_100_000).verdict == .behindAtPeak)
    #expect(estimate(3_100_000) { $0.peak = 1 }.verdict == .beyondMeasured)
    #expect(estimate(18_000_000).verdict == .tooMuch)
  }
}

@Suite struct `The page about sizes` {
  @Test func `says the figures that are reckoned with`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../Documentation/Sizing.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let minute = "\(Int((MeasuredFigures.replayHour / 60_000).rounded())) kB"
    func thousands(_ number: Double) -> String {
      var (digits, groups) = (String(Int(number)), [String]())
      while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
      }
      return ([digits] + groups).joined(separator: " ")
    }
    let (indexed, text) = (MeasuredFigures.indexed, MeasuredFigures.fullText)
    for said in [
      "events × bytes × \(MeasuredFigures.compressed) + minutes of replay × \(minute)",
      "(\(Int(indexed.fixed)) + \(indexed.each) × bytes), and with full text \(text.each) × bytes − \(Int(-text.fixed)) more",
      "÷ \(thousands(MeasuredFigures.indexedPerSecondWithText)) with full text",
      "\(thousands(MeasuredFigures.indexedPerSecond)) without",
      "÷ \(thousands(MeasuredFigures.acknowledged)) of a core",
      "\(MeasuredFigures.replayHour / 1e6) MB",
      "(\(Int(MeasuredFigures.stored.fixed)) + \(MeasuredFigures.stored.each) × bytes)",
      "\(thousands(MeasuredFigures.sentPerSecond)) + ÷ \(thousands(MeasuredFigures.acknowledged))",
      "÷ \(thousands(MeasuredFigures.storedPerSecond))",
    ] { #expect(page.contains(said), "the page does not say “\(said)”") }
  }
}
