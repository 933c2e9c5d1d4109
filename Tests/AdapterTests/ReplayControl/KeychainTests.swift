import AutoMobileSDK
import Foundation
import Security
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileReplay

@Suite(.serialized) struct KeychainTests {
  private static let credential = DeviceCredential(token: "t-1", issuedAt: 5, expiresInMs: 60_000, audience: "a")

  /// With a Keychain that has been emptied.
  private static func keep(_ body: (KeychainCredentialStore) throws -> Void) rethrows {
    defer { SimulatedKeychain.shared.simulateErasure() }
    try body(KeychainCredentialStore(KeychainItem(service: "dev.example.test", account: "device")))
  }

  @Test func `a credential is found by the next launch, replaced, and removed`() throws {
    Self.keep { store in
      #expect(store.read() == nil)
      store.write(Self.credential)
      #expect(
        KeychainCredentialStore(KeychainItem(service: "dev.example.test", account: "device")).read() == Self.credential)
      var newer = Self.credential
      newer.token = "t-2"
      store.write(newer)
      #expect(store.read() == newer)
      store.write(nil)
      #expect(store.read() == nil && SimulatedKeychain.shared.simulatedItems.isEmpty)
    }
  }

  @Test func `it is of this device alone, readable after the first unlock, on a Mac too`() throws {
    try Self.keep { store in
      store.write(Self.credential)
      let item = try #require(SimulatedKeychain.shared.simulatedItems.first)
      #expect(SimulatedKeychain.shared.simulatedItems.count == 1)
      #expect(item.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
      #expect(!item.isSynchronized && !item.isInFile)
    }
  }

  @Test func `before the first unlock there is none, and afterwards the one that was kept`() throws {
    Self.keep { store in
      store.write(Self.credential)
      SimulatedKeychain.shared.simulateRestart()
      #expect(store.read() == nil)
      SimulatedKeychain.shared.simulateRestart(false)
      #expect(store.read() == Self.credential)
    }
  }

  @Test func `an erasure of the SDK's removes it, without the replay`() async throws {
    defer { SimulatedKeychain.shared.simulateErasure() }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("keychain-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    KeychainCredentialStore().write(Self.credential)
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.forgetCredentials = SdkEnvironment.live().forgetCredentials
      return environment
    }
    sdk.initialize(bundleId: "dev.test", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    #expect(KeychainCredentialStore().read() == Self.credential)
    await withCheckedContinuation { done in sdk.eraseAll { done.resume() } }
    #expect(SimulatedKeychain.shared.simulatedItems.isEmpty)
    sdk.shutdown()
  }
}
