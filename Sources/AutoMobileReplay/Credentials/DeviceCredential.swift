import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// What this device uploads with. It is kept in the Keychain, and nowhere else.
package struct DeviceCredential: Codable, Sendable, Equatable {
  package var token: String
  /// In milliseconds since 1970.
  package var issuedAt: Int64
  package var expiresInMs: Int64
  /// For which collector and key: another one's is worth nothing.
  package var audience: String

  package init(token: String, issuedAt: Int64, expiresInMs: Int64, audience: String) {
    self.token = token
    self.issuedAt = issuedAt
    self.expiresInMs = expiresInMs
    self.audience = audience
  }

  /// What one is good for, without naming the key itself.
  package static func audience(base: URL, publicKey: String, device: DeviceDescription) -> String {
    SHA256.hex("\(base.absoluteString)|\(publicKey)|\(device.deviceId)")
  }

  /// Whether it may be used now: not within a minute of its end, which an upload would run into, and not by a clock that
  /// says it has not been issued yet.
  ///
  /// - Parameter now: milliseconds since 1970.
  func isValid(at now: Int64) -> Bool {
    let age = now.subtracting(saturating: issuedAt)
    let margin = min(60_000, max(0, expiresInMs) / 2)
    return age >= -300_000 && age < expiresInMs.subtracting(saturating: margin)
  }
}

/// Where the credential is kept over launches. Calls may block for a moment; not for the main thread.
package protocol CredentialStore: Sendable {
  func read() -> DeviceCredential?
  /// Nil removes it.
  func write(_ credential: DeviceCredential?)
}

/// Keeps it for as long as the process lives: where there is no Keychain, and for tests. It writes no file.
package final class MemoryCredentialStore: CredentialStore {
  private let credential: Locked<DeviceCredential?>

  package init(_ credential: DeviceCredential? = nil) { self.credential = Locked(credential) }

  package func read() -> DeviceCredential? { credential.withLock { $0 } }

  package func write(_ credential: DeviceCredential?) { self.credential.withLock { $0 = credential } }
}
