#if canImport(Security)
import AutoMobileRecorder
import Foundation
import Security

/// The credential as a generic password in the Keychain: of this device only, in no backup, and readable after the first unlock.
package struct KeychainCredentialStore: CredentialStore {
  private let item: KeychainItem

  package init(_ item: KeychainItem = .replayCredential) { self.item = item }

  package func read() -> DeviceCredential? {
    var query = item.query
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
    item.remove()
    guard let credential, let data = try? JSONEncoder().encode(credential) else { return }
    var attributes = item.query
    attributes[kSecValueData as String] = data
    attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    SecItemAdd(attributes as CFDictionary, nil)
  }
}
#endif
