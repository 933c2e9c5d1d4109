import AutoMobileSupport

/// What has to be erased besides the recorder's own: parts in modules of their own, which keep things elsewhere.
package final class Erasers: Sendable {
  /// Erases, and calls `done` when nothing is left, on any thread.
  package typealias Eraser = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  private let erasers = Locked<[Eraser]>([])
  private let ends = Locked<[@Sendable () -> Void]>([])
  private let permissions = Locked<[@Sendable () -> Void]>([])

  /// Has a closure called, on a background queue, whenever everything is to be erased, for the rest of the process.
  ///
  /// - Parameters:
  ///   - over: called there when the SDK has removed its files, after all have erased: until then what is made may be removed.
  ///   - onPermission: called there when something may be kept, after a denial and at the start of a launch.
  package func add(
    _ eraser: @escaping Eraser, over: @escaping @Sendable () -> Void = {},
    onPermission: @escaping @Sendable () -> Void = {}
  ) {
    // First: whoever is asked to erase is told when it is over.
    ends.withLock { $0.append(over) }
    erasers.withLock { $0.append(eraser) }
    permissions.withLock { $0.append(onPermission) }
  }

  func permit() { permissions.withLock { $0 }.forEach { $0() } }

  func tellOver() { ends.withLock { $0 }.forEach { $0() } }

  func erase(_ gathering: Gathering) {
    for eraser in erasers.withLock({ $0 }) { eraser(gathering.enter()) }
  }
}
