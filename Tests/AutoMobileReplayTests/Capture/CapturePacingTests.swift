import Testing

@testable import AutoMobileReplay

/// How often pictures are taken, and when they are not.
@Suite struct `The pace of capture` {
  private typealias Conditions = CapturePacing.Conditions
  private let millisecond: UInt64 = 1_000_000

  @Test func `pictures come at the rate that was asked for`() {
    var pacing = CapturePacing(framesPerSecond: 3)
    var taken = 0
    for step in 0..<1000 {
      let now = UInt64(step) * 10 * millisecond
      guard pacing.isDue(at: now, Conditions()) else { continue }
      taken += 1
      pacing.took(from: now, to: now + millisecond)
    }
    #expect((29...32).contains(taken))
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e9, 1e-9]) func `any number is a rate`(rate: Double) throws {
    let interval = try #require(CapturePacing(framesPerSecond: rate).interval(Conditions()))
    #expect((33 * millisecond...10_000 * millisecond).contains(interval))
  }

  @Test func `a picture that costs much makes them rare, and cheap ones make them frequent again`() throws {
    var pacing = CapturePacing(framesPerSecond: 3)
    for _ in 0..<20 { pacing.took(from: 0, to: 40 * millisecond) }
    let slow = try #require(pacing.interval(Conditions()))
    // Of the main thread, a twentieth.
    #expect((700 * millisecond...800 * millisecond).contains(slow))
    for _ in 0..<40 { pacing.took(from: 0, to: 2 * millisecond) }
    #expect(try #require(pacing.interval(Conditions())) < 340 * millisecond)
    for _ in 0..<20 { pacing.took(from: 0, to: 60_000 * millisecond) }
    #expect(pacing.interval(Conditions()) == CapturePacing.longestInterval)
  }

  @Test func `heat, low power and late frames make them rarer, and too much heat ends them`() {
    let pacing = CapturePacing(framesPerSecond: 4)
    #expect(pacing.interval(Conditions()) == 250 * millisecond)
    #expect(pacing.interval(Conditions(heat: .fair)) == 250 * millisecond)
    #expect(pacing.interval(Conditions(heat: .serious)) == 500 * millisecond)
    #expect(pacing.interval(Conditions(isLowPower: true)) == 500 * millisecond)
    #expect(pacing.interval(Conditions(slowFrames: 3)) == 500 * millisecond)
    #expect(pacing.interval(Conditions(heat: .serious, isLowPower: true, slowFrames: 1)) == 2000 * millisecond)
    #expect(pacing.interval(Conditions(heat: .critical)) == nil)
    #expect(!pacing.isDue(at: 0, Conditions(heat: .critical)))
  }

  @Test func `times that make no sense do no harm`() {
    var pacing = CapturePacing(framesPerSecond: 3)
    pacing.took(from: .max, to: 0)
    #expect(pacing.isDue(at: 5, Conditions()))
    pacing.took(from: 0, to: .max)
    pacing.took(from: 0, to: .max)
    #expect(pacing.interval(Conditions()) == CapturePacing.longestInterval)
    #expect(pacing.isDue(at: .max, Conditions()))
  }

  @Test func `the keyboard and maps hold capture up, for a while`() {
    var guards = CaptureGuards()
    func allows(_ now: UInt64) -> Bool { guards.allowsPixels(at: now * millisecond, isInTransition: false) }
    #expect(allows(0))
    guards.keyboardBegins(at: 0)
    #expect(!allows(2999) && allows(3000), "its end was never told")
    guards.keyboardEnded(at: 500 * millisecond)
    #expect(!allows(949) && allows(950))
    #expect(guards.allowsHierarchy(at: 0))
    guards.mapMoves(at: 1000 * millisecond)
    #expect(!allows(1299) && allows(1300))
    #expect(!guards.allowsHierarchy(at: 1299 * millisecond) && guards.allowsHierarchy(at: 1300 * millisecond))
    #expect(!guards.allowsPixels(at: .max, isInTransition: true))
    guards.keyboardBegins(at: .max)
    #expect(!guards.allowsPixels(at: .max - 1, isInTransition: false))
  }
}
