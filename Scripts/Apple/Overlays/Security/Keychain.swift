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

/// Documentation: *Keychain items*. iOS 2.0.
nonisolated(unsafe) public let kSecClass: CFString! = ""
nonisolated(unsafe) public let kSecClassGenericPassword: CFString! = ""
nonisolated(unsafe) public let kSecAttrService: CFString! = ""
nonisolated(unsafe) public let kSecAttrAccount: CFString! = ""
nonisolated(unsafe) public let kSecAttrSynchronizable: CFString! = ""
nonisolated(unsafe) public let kSecAttrAccessible: CFString! = ""
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString! = ""
nonisolated(unsafe) public let kSecReturnData: CFString! = ""
nonisolated(unsafe) public let kSecMatchLimit: CFString! = ""
nonisolated(unsafe) public let kSecMatchLimitOne: CFString! = ""
nonisolated(unsafe) public let kSecValueData: CFString! = ""
/// Documentation: *kSecUseDataProtectionKeychain*. iOS 13.0, macOS 10.15.
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString! = ""
