/// What has to be erased besides the recorder's own: parts in modules of their own, which keep things elsewhere.
package final class Erasers: Sendable {
  /// Erases, and calls `done` when nothing is left, on any thread.
  package typealias Eraser = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  private let erasers = Locked<[Eraser]>([])
  private let permissions = Locked<[@Sendable () -> Void]>([])

  /// Has a closure called, on a background queue, whenever everything is to be erased, for the rest of the process.
  ///
  /// - Parameter onPermission: called there when something may be kept, after a denial and at the start of a launch.
  package func add(_ eraser: @escaping Eraser, onPermission: @escaping @Sendable () -> Void = {}) {
    erasers.withLock { $0.append(eraser) }
    permissions.withLock { $0.append(onPermission) }
  }

  func permit() { permissions.withLock { $0 }.forEach { $0() } }

  func erase(_ gathering: Gathering) {
    for eraser in erasers.withLock({ $0 }) { eraser(gathering.enter()) }
  }
}
