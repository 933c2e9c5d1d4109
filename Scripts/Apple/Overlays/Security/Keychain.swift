// The Keychain as far as the replay's credentials need it.
@_exported import Foundation

/// Documentation: *SecItemCopyMatching(_:_:)*. iOS 2.0.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
/// Documentation: *SecItemAdd(_:_:)*. iOS 2.0.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
/// Documentation: *SecItemDelete(_:)*. iOS 2.0.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
/// Documentation: *errSecSuccess*. iOS 2.0.
public var errSecSuccess: OSStatus { 0 }

/// Documentation: *kSecClass*. iOS 2.0.
nonisolated(unsafe) public let kSecClass: CFString = ""
/// Documentation: *kSecClassGenericPassword*. iOS 2.0.
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = ""
/// Documentation: *kSecAttrService*. iOS 2.0.
nonisolated(unsafe) public let kSecAttrService: CFString = ""
/// Documentation: *kSecAttrAccount*. iOS 2.0.
nonisolated(unsafe) public let kSecAttrAccount: CFString = ""
/// Documentation: *kSecAttrSynchronizable*. iOS 7.0.
nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = ""
/// Documentation: *kSecAttrAccessible*. iOS 4.0.
nonisolated(unsafe) public let kSecAttrAccessible: CFString = ""
/// Documentation: *kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly*. iOS 4.0.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
/// Documentation: *kSecReturnData*. iOS 2.0.
nonisolated(unsafe) public let kSecReturnData: CFString = ""
/// Documentation: *kSecMatchLimit*. iOS 2.0.
nonisolated(unsafe) public let kSecMatchLimit: CFString = ""
/// Documentation: *kSecMatchLimitOne*. iOS 2.0.
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = ""
/// Documentation: *kSecValueData*. iOS 2.0.
nonisolated(unsafe) public let kSecValueData: CFString = ""
/// Documentation: *kSecUseDataProtectionKeychain*. iOS 13.0.
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = ""
