import AutoMobileSupport
import Foundation
import LocalAuthentication
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A22: in the place of an `LAContext`, it takes the override, and is an `LAContext` otherwise.
@MainActor @Suite(.serialized) struct AuthenticationContextTests {
  private let biometrics = AutoMobileBiometrics()
  nonisolated private let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics

  /// The app's code, but for the type of the context.
  nonisolated private func unlock(_ biometrics: AutoMobileBiometrics) async -> Result<Bool, NSError> {
    let context: LAContext = AutoMobileAuthenticationContext(biometrics: biometrics)
    var obstacle: NSError?
    guard context.canEvaluatePolicy(policy, error: &obstacle) else {
      return .failure(obstacle ?? NSError(domain: "no error", code: 0))
    }
    do {
      return .success(try await context.evaluatePolicy(policy, localizedReason: "Open the safe"))
    } catch {
      return .failure(error as NSError)
    }
  }

  private func context() -> LAContext { AutoMobileAuthenticationContext(biometrics: biometrics) }

  @Test func `A22 every result that is set is what the app gets, on a device that knows nobody`() async throws {
    LAContext.simulateDevice(obstacle: .biometryNotEnrolled)
    let asked = LAContext.simulatedEvaluations
    let cases: [(BiometricResult, Int?)] = [
      (.success, nil), (.failure, -1), (.cancel, -2), (.error(code: -3, message: "fallback 🔑"), -3),
    ]
    for (result, code) in cases {
      biometrics.overrideResult(result)
      switch await unlock(biometrics) {
      case .success(let isUnlocked): #expect(isUnlocked && code == nil)
      case .failure(let error):
        #expect(error.domain == LAErrorDomain && error.code == code)
        if code == -3 { #expect(error.localizedDescription == "fallback 🔑") }
      }
      #expect(!biometrics.hasOverride)
    }
    #expect(LAContext.simulatedEvaluations == asked, "nobody was asked")
  }

  @Test(arguments: [-5, -6, -7, -8])
  func `A22 an error that a device knows beforehand is told beforehand`(code: Int) async {
    LAContext.simulateDevice(obstacle: nil)
    biometrics.overrideResult(.error(code: code, message: "no"))
    guard case .failure(let error) = await unlock(biometrics) else {
      Issue.record("it can be evaluated")
      return
    }
    #expect(error.domain == LAErrorDomain && error.code == code)
    #expect(biometrics.hasOverride, "asking beforehand takes nothing")
    #expect(context().canEvaluatePolicy(policy, error: nil) == false)
    biometrics.clearOverride()
  }

  @Test func `A22 without an override it is the device and the person that decide`() async {
    LAContext.simulateDevice(obstacle: .biometryNotAvailable)
    guard case .failure(let obstacle) = await unlock(biometrics) else {
      Issue.record("it can be evaluated")
      return
    }
    #expect(obstacle.code == LAError.Code.biometryNotAvailable.rawValue)
    LAContext.simulateDevice(obstacle: nil)
    LAContext.simulatePerson(failure: nil)
    #expect(await unlock(biometrics) == .success(true))
    LAContext.simulatePerson(failure: .userCancel)
    guard case .failure(let error) = await unlock(biometrics) else {
      Issue.record("it was not cancelled")
      return
    }
    #expect(error.code == LAError.Code.userCancel.rawValue)
    LAContext.simulatePerson(failure: nil)
  }

  @Test func `A22 an override is for one authentication, the next one is the person's`() async {
    LAContext.simulateDevice(obstacle: nil)
    LAContext.simulatePerson(failure: nil)
    biometrics.overrideResult(.failure)
    let asked = LAContext.simulatedEvaluations
    guard case .failure = await unlock(biometrics) else {
      Issue.record("the override was not taken")
      return
    }
    #expect(await unlock(biometrics) == .success(true))
    #expect(LAContext.simulatedEvaluations == asked + 1)
  }

  @Test func `A22 in release builds an override does nothing`() async {
    let released = AutoMobileBiometrics(isDebugBuild: false)
    LAContext.simulateDevice(obstacle: nil)
    LAContext.simulatePerson(failure: .authenticationFailed)
    released.overrideResult(.success)
    guard case .failure = await unlock(released) else {
      Issue.record("a way around the lock")
      return
    }
    LAContext.simulatePerson(failure: nil)
  }

  @Test func `A22 the reply comes later, on another thread, and once`() async {
    biometrics.overrideResult(.success)
    let replies = Locked<[Bool]>([])
    let context = context()
    context.evaluatePolicy(policy, localizedReason: "") { success, _ in replies.withLock { $0.append(success) } }
    #expect(!biometrics.hasOverride, "it is taken at once")
    #expect(await eventually { replies.withLock { $0 } == [true] })
  }

  @Test func `A22 the app's own is the process's hook`() {
    AutoMobileBiometrics.shared.overrideResult(.success)
    #expect(AutoMobileAuthenticationContext().canEvaluatePolicy(policy, error: nil))
    AutoMobileBiometrics.shared.reset()
  }
}
