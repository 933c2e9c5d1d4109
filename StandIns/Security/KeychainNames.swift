import Foundation

// The keys of queries, and what some of them can have.

/// Documentation: *kSecClass*. iOS 2.0.
public let kSecClass: CFString = "class"
/// Documentation: *kSecClassGenericPassword*. iOS 2.0.
public let kSecClassGenericPassword: CFString = "genp"
/// Documentation: *kSecAttrService*. iOS 2.0.
public let kSecAttrService: CFString = "svce"
/// Documentation: *kSecAttrAccount*. iOS 2.0.
public let kSecAttrAccount: CFString = "acct"
/// Documentation: *kSecAttrSynchronizable*. iOS 7.0.
public let kSecAttrSynchronizable: CFString = "sync"
/// Documentation: *kSecAttrAccessible*. iOS 4.0.
public let kSecAttrAccessible: CFString = "pdmn"
/// Documentation: *kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly*. iOS 4.0.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Documentation: *kSecReturnData*. iOS 2.0.
public let kSecReturnData: CFString = "r_Data"
/// Documentation: *kSecMatchLimit*. iOS 2.0.
public let kSecMatchLimit: CFString = "m_Limit"
/// Documentation: *kSecMatchLimitOne*. iOS 2.0.
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Documentation: *kSecValueData*. iOS 2.0.
public let kSecValueData: CFString = "v_Data"
/// Documentation: *kSecUseDataProtectionKeychain*. iOS 13.0.
public let kSecUseDataProtectionKeychain: CFString = "nleg"

// What is answered.

/// Documentation: *errSecSuccess*. iOS 2.0.
public var errSecSuccess: OSStatus { 0 }
/// Documentation: *errSecDuplicateItem*. iOS 2.0.
public var errSecDuplicateItem: OSStatus { -25299 }
/// Documentation: *errSecItemNotFound*. iOS 2.0.
public var errSecItemNotFound: OSStatus { -25300 }
/// Documentation: *errSecInteractionNotAllowed*. iOS 2.0.
public var errSecInteractionNotAllowed: OSStatus { -25308 }
