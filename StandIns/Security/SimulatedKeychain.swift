#if !canImport(ObjectiveC)
import Foundation

/// The two Keychains of a Mac: one that knows of protection classes, which is the only one elsewhere, and one in a file, which takes
/// what is said about them and forgets it.
public final class SimulatedKeychain: @unchecked Sendable {
  // Unchecked: everything is reached under the lock.
  public static let shared = SimulatedKeychain()

  private let lock = NSLock()
  private var protected: [CFDictionary] = []
  private var inFile: [CFDictionary] = []
  private var isLocked = false

  /// What is kept: whoever may read it, and whether it goes to other devices.
  public var simulatedItems: [(accessible: String?, isSynchronized: Bool, isInFile: Bool)] {
    lock.withLock {
      protected.map { ($0[kSecAttrAccessible] as? String, $0[kSecAttrSynchronizable] as? Bool ?? false, false) }
        + inFile.map { _ in (nil, false, true) }
    }
  }

  /// The device has been restarted, and not been unlocked since; or it has.
  public func simulateRestart(_ isRestarted: Bool = true) { lock.withLock { isLocked = isRestarted } }

  public func simulateErasure() {
    lock.withLock { (protected, inFile) = ([], []) }
  }

  func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    lock.withLock {
      guard let found = items(of: query).first(where: { Self.matches($0, query) }) else { return errSecItemNotFound }
      guard !isLocked else { return errSecInteractionNotAllowed }
      if query[kSecReturnData] as? Bool == true { result?.pointee = found[kSecValueData] as AnyObject? }
      return errSecSuccess
    }
  }

  func add(_ item: CFDictionary) -> OSStatus {
    lock.withLock {
      guard !items(of: item).contains(where: { Self.matches($0, item) }) else { return errSecDuplicateItem }
      guard !isLocked else { return errSecInteractionNotAllowed }
      if Self.isProtected(item) { protected.append(item) } else { inFile.append(item) }
      return errSecSuccess
    }
  }

  func delete(_ query: CFDictionary) -> OSStatus {
    lock.withLock {
      let before = protected.count + inFile.count
      if Self.isProtected(query) {
        protected.removeAll { Self.matches($0, query) }
      } else {
        inFile.removeAll { Self.matches($0, query) }
      }
      return protected.count + inFile.count < before ? errSecSuccess : errSecItemNotFound
    }
  }

  private func items(of query: CFDictionary) -> [CFDictionary] { Self.isProtected(query) ? protected : inFile }

  private static func isProtected(_ query: CFDictionary) -> Bool {
    query[kSecUseDataProtectionKeychain] as? Bool == true
  }

  /// By what makes an item this one and no other.
  private static func matches(_ item: CFDictionary, _ query: CFDictionary) -> Bool {
    [kSecClass, kSecAttrService, kSecAttrAccount].allSatisfy { item[$0] as? String == query[$0] as? String }
  }
}
#endif
