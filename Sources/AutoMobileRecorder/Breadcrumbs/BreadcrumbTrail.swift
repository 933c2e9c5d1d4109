import AutoMobileSupport
import Foundation

/// The last breadcrumbs, in memory, with an export to a file. Safe from any thread.
///
/// The SDK's own trail needs neither: it is in the journal, and survives a crash without being written anywhere. See
/// `AutoMobileSDK.breadcrumbs()`.
public final class BreadcrumbTrail: BreadcrumbTracking, @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `ring`.
  private let ring: Locked<RingBuffer<Breadcrumb>>

  /// - Parameter maxSize: breadcrumbs kept; at least 1.
  public init(maxSize: Int = 100) { ring = Locked(RingBuffer(capacity: maxSize)) }

  public func add(_ breadcrumb: Breadcrumb) {
    // What falls out is released after the lock.
    _ = ring.withLock { $0.append(breadcrumb) }
  }

  public func snapshot() -> [Breadcrumb] { ring.withLock { $0.elements } }

  public func clear() { _ = ring.withLock { $0.removeAll() } }

  /// Writes the trail to `automobile_breadcrumbs.json`. Blocks on the disk.
  ///
  /// An older file stays whole until the new one is; a failure leaves it as it was.
  ///
  /// - Parameter directory: `Library/Caches` when nil.
  public func writeToDisk(directory: URL? = nil) { BreadcrumbFile(directory)?.write(snapshot()) }

  /// Reads what ``writeToDisk(directory:)`` wrote; nil when there is nothing, or nothing that can be read.
  /// Blocks on the disk.
  public static func loadFromDisk(directory: URL? = nil) -> [Breadcrumb]? { BreadcrumbFile(directory)?.read() }

  /// Removes the file.
  public static func clearDisk(directory: URL? = nil) { BreadcrumbFile(directory)?.remove() }
}
