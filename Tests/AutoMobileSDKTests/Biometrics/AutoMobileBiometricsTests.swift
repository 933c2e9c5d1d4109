import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A22: a result that is set once, holds for a time, and is taken by one.
@Suite struct AutoMobileBiometricsTests {
  private let now = Locked<Int64>(1_000_000)
  private let center = NotificationCenter()

  private func biometrics(isDebugBuild: Bool = true) -> AutoMobileBiometrics {
    AutoMobileBiometrics(isDebugBuild: isDebugBuild, clock: { [now] in now.withLock { $0 } }) { [center] in center }
  }

  private func wait(_ milliseconds: Int64) { now.withLock { $0 &+= milliseconds } }

  @Test(arguments: [
    BiometricResult.success, .failure, .cancel, .error(code: -8, message: "locked out 🔒\0"),
    .error(code: .min, message: String(repeating: "m", count: 1 << 20)),
  ])
  func `A22 a result is taken once`(result: BiometricResult) {
    let biometrics = biometrics()
    #expect(!biometrics.hasOverride && biometrics.consumeOverride() == nil)
    biometrics.overrideResult(result)
    #expect(biometrics.hasOverride)
    #expect(biometrics.consumeOverride() == result)
    #expect(!biometrics.hasOverride && biometrics.consumeOverride() == nil)
  }

  @Test func `A22 it holds for five seconds unless it is said otherwise`() {
    let biometrics = biometrics()
    biometrics.overrideResult(.success)
    wait(4999)
    #expect(biometrics.hasOverride)
    wait(1)
    #expect(!biometrics.hasOverride && biometrics.consumeOverride() == nil)
    biometrics.overrideResult(.success, ttlMs: 0.5)
    #expect(biometrics.hasOverride)
    wait(1)
    #expect(!biometrics.hasOverride)
  }

  @Test(
    arguments: [
      (0, false), (-1, false), (-.infinity, false), (.nan, false), (.leastNonzeroMagnitude, true), (1e300, true),
      (.infinity, true),
    ] as [(Double, Bool)])
  func `A22 any number is a lifetime`(ttlMs: Double, holds: Bool) {
    let biometrics = biometrics()
    biometrics.overrideResult(.cancel)
    biometrics.overrideResult(.failure, ttlMs: ttlMs)
    #expect(biometrics.consumeOverride() == (holds ? .failure : nil), "in any case not the one before")
  }

  @Test func `A22 a clock near its end is no trouble`() {
    now.withLock { $0 = .max - 1 }
    let biometrics = biometrics()
    biometrics.overrideResult(.success, ttlMs: .infinity)
    #expect(biometrics.hasOverride)
  }

  @Test func `A22 the last one that is set counts, and it can be cleared`() {
    let biometrics = biometrics()
    biometrics.overrideResult(.success)
    biometrics.overrideResult(.cancel)
    #expect(biometrics.consumeOverride() == .cancel)
    biometrics.overrideResult(.success)
    biometrics.clearOverride()
    #expect(!biometrics.hasOverride && biometrics.consumeOverride() == nil)
  }

  @Test func `A22 of many threads that ask at once, exactly one gets it`() async {
    let biometrics = biometrics()
    for _ in 0..<200 {
      biometrics.overrideResult(.success)
      let taken = await onThread {
        let taken = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
          if biometrics.consumeOverride() != nil { taken.withLock { $0 += 1 } }
        }
        return taken.withLock { $0 }
      }
      #expect(taken == 1)
    }
  }

  @Test func `A22 whoever waits for it is told, and may take it at once`() {
    let biometrics = biometrics()
    let taken = Locked<[BiometricResult?]>([])
    let token = center.addObserver(
      forName: AutoMobileBiometrics.overrideNotification, object: nil, queue: nil
    ) { _ in taken.withLock { $0.append(biometrics.consumeOverride()) } }
    defer { center.removeObserver(token) }
    biometrics.overrideResult(.success)
    biometrics.overrideResult(.success, ttlMs: 0)
    biometrics.clearOverride()
    #expect(taken.withLock { $0 } == [.success])
    #expect(
      AutoMobileBiometrics.overrideNotification.rawValue == "dev.jasonpearson.automobile.sdk.BIOMETRIC_OVERRIDE")
  }

  @Test func `A22 in release builds nothing can be set, unless the app allows it`() {
    let biometrics = biometrics(isDebugBuild: false)
    let told = Locked(0)
    let token = center.addObserver(
      forName: AutoMobileBiometrics.overrideNotification, object: nil, queue: nil
    ) { _ in told.withLock { $0 += 1 } }
    defer { center.removeObserver(token) }
    biometrics.overrideResult(.success)
    #expect(!biometrics.hasOverride && told.withLock { $0 } == 0)
    biometrics.isAllowed = true
    biometrics.overrideResult(.success)
    #expect(biometrics.hasOverride && told.withLock { $0 } == 1)
    biometrics.isAllowed = false
    #expect(!biometrics.hasOverride, "what was set is forgotten")
    biometrics.reset()
    #expect(!biometrics.isAllowed)
  }
}
