#if canImport(Security)
import Foundation
import Security

/// What is kept in the Keychain, which only the replay uses. It is named here so that an erasure reaches it in every launch, also in one
/// in which the app does not use the replay, or in a version that has it no more.
package struct KeychainItem: Sendable {
  package static let replayCredential = KeychainItem(
    service: "dev.jasonpearson.automobile.replay", account: "device")

  private let service: String
  private let account: String

  package init(service: String, account: String) {
    self.service = service
    self.account = account
  }

  /// A generic password of this device only.
  package var query: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
      kSecAttrAccount as String: account, kSecAttrSynchronizable as String: false,
      // On a Mac, too, the Keychain that knows of protection classes: its file-based one ignores what is asked for besides.
      kSecUseDataProtectionKeychain as String: true,
    ]
  }

  /// Blocks for a moment.
  package func remove() { SecItemDelete(query as CFDictionary) }
}
#endif
