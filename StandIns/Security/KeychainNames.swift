import Foundation

// The keys of queries, and what some of them can have. Worked out each time: a constant of Apple's CFString would be shared by threads
// without a promise of the compiler's.

/// Documentation: *kSecClass*. iOS 2.0.
public var kSecClass: CFString { "class" }
/// Documentation: *kSecClassGenericPassword*. iOS 2.0.
public var kSecClassGenericPassword: CFString { "genp" }
/// Documentation: *kSecAttrService*. iOS 2.0.
public var kSecAttrService: CFString { "svce" }
/// Documentation: *kSecAttrAccount*. iOS 2.0.
public var kSecAttrAccount: CFString { "acct" }
/// Documentation: *kSecAttrSynchronizable*. iOS 7.0.
public var kSecAttrSynchronizable: CFString { "sync" }
/// Documentation: *kSecAttrAccessible*. iOS 4.0.
public var kSecAttrAccessible: CFString { "pdmn" }
/// Documentation: *kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly*. iOS 4.0.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }
/// Documentation: *kSecReturnData*. iOS 2.0.
public var kSecReturnData: CFString { "r_Data" }
/// Documentation: *kSecMatchLimit*. iOS 2.0.
public var kSecMatchLimit: CFString { "m_Limit" }
/// Documentation: *kSecMatchLimitOne*. iOS 2.0.
public var kSecMatchLimitOne: CFString { "m_LimitOne" }
/// Documentation: *kSecValueData*. iOS 2.0.
public var kSecValueData: CFString { "v_Data" }
/// Documentation: *kSecUseDataProtectionKeychain*. iOS 13.0.
public var kSecUseDataProtectionKeychain: CFString { "nleg" }

// What is answered.

/// Documentation: *errSecSuccess*. iOS 2.0.
public var errSecSuccess: OSStatus { 0 }
/// Documentation: *errSecDuplicateItem*. iOS 2.0.
public var errSecDuplicateItem: OSStatus { -25299 }
/// Documentation: *errSecItemNotFound*. iOS 2.0.
public var errSecItemNotFound: OSStatus { -25300 }
/// Documentation: *errSecInteractionNotAllowed*. iOS 2.0.
public var errSecInteractionNotAllowed: OSStatus { -25308 }
