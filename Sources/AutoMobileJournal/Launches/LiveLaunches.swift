import Foundation

/// The launches whose journals are open in this process: one process may hold several, and reopen one it has closed.
///
/// Sendable: the list is used under the lock only.
final class LiveLaunches: @unchecked Sendable {
  static let here = LiveLaunches()

  private let lock = NSLock()
  private var open: [LaunchID] = []

  func insert(_ launch: LaunchID) { lock.withLock { if !open.contains(launch) { open.append(launch) } } }
  func remove(_ launch: LaunchID) { lock.withLock { open.removeAll { $0 == launch } } }

  /// Whether the launch that `identity` describes may still be writing.
  func isAlive(_ identity: FileIdentity, singleInstanceOwner: UInt64?) -> Bool {
    if lock.withLock({ open.contains(identity.launch) }) { return true }
    if identity.process.isCurrent { return false }
    if let owner = singleInstanceOwner, owner == identity.owner { return false }
    return identity.process.isAlive
  }
}
