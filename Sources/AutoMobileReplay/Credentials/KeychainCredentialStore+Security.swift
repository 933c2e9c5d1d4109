#if canImport(Security)
import Foundation
import Security

/// The credential as a generic password in the Keychain: of this device only, in no backup, and readable after the first unlock.
package struct KeychainCredentialStore: CredentialStore {
  private let service: String
  private let account: String

  package init(service: String = "dev.jasonpearson.automobile.replay", account: String = "device") {
    self.service = service
    self.account = account
  }

  package func read() -> DeviceCredential? {
    var query = identity
    query[kSecReturnData as String] = true
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var found: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let data = found as? Data else {
      return nil
    }
    return try? JSONDecoder().decode(DeviceCredential.self, from: data)
  }

  package func write(_ credential: DeviceCredential?) {
    // Removed first, so that what may be done with it is as it is said here, whatever an older version said.
    SecItemDelete(identity as CFDictionary)
    guard let credential, let data = try? JSONEncoder().encode(credential) else { return }
    var item = identity
    item[kSecValueData as String] = data
    item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    SecItemAdd(item as CFDictionary, nil)
  }

  private var identity: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
      kSecAttrAccount as String: account, kSecAttrSynchronizable as String: false,
      // On a Mac, too, the Keychain that knows of protection classes: its file-based one ignores what is asked for above.
      kSecUseDataProtectionKeychain as String: true,
    ]
  }
}
#endif
