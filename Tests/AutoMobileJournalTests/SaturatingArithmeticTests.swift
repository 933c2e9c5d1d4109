import Testing

@testable import AutoMobileJournal

@Suite struct SaturatingArithmeticTests {
  @Test func `sums, differences and products stop at the ends`() {
    #expect(UInt64.max.adding(saturating: 1) == .max)
    #expect(UInt64(1).subtracting(saturating: 2) == 0)
    #expect(Int64.max.adding(saturating: 1) == .max)
    #expect(Int64.min.adding(saturating: -1) == .min)
    #expect(Int64.min.subtracting(saturating: 1) == .min)
    #expect(Int64.max.subtracting(saturating: -1) == .max)
    #expect(Int64.min.multiplied(saturating: -1) == .max)
    #expect(Int64.max.multiplied(saturating: -2) == .min)
    #expect(Int64(6).multiplied(saturating: 7) == 42)
    #expect(Int64(6).adding(saturating: -7) == -1)
    #expect(UInt8(200).multiplied(saturating: 2) == .max)
  }

  @Test func `floating-point numbers become the nearest integer, toward zero`() {
    #expect(Int64(saturating: 1.9) == 1)
    #expect(Int64(saturating: -1.9) == -1)
    #expect(Int64(saturating: .nan) == 0)
    #expect(Int64(saturating: .infinity) == .max)
    #expect(Int64(saturating: -.infinity) == .min)
    #expect(Int64(saturating: 1e300) == .max)
    #expect(UInt8(saturating: -0.5) == 0)
    #expect(UInt8(saturating: -3) == 0)
    #expect(UInt8(saturating: 256) == .max)
  }
}
