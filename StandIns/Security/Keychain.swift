@_exported import Foundation

#if !canImport(ObjectiveC)
// Core Foundation's names, which are Foundation's types elsewhere.
/// Documentation: *CFTypeRef*. iOS 2.0.
public typealias CFTypeRef = AnyObject
/// Documentation: *CFString*. iOS 2.0.
public typealias CFString = String
/// Documentation: *CFDictionary*. iOS 2.0.
public typealias CFDictionary = [String: Any]
/// Documentation: *OSStatus*. iOS 8.0.
public typealias OSStatus = Int32
#endif

/// Documentation: *SecItemCopyMatching(_:_:)*. iOS 2.0.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  SimulatedKeychain.shared.copyMatching(query, result)
}

/// Documentation: *SecItemAdd(_:_:)*. iOS 2.0.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  SimulatedKeychain.shared.add(attributes)
}

/// Documentation: *SecItemDelete(_:)*. iOS 2.0.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { SimulatedKeychain.shared.delete(query) }
