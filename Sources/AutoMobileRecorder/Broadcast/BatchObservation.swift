import AutoMobileSupport

/// A running observation of batches; ends with ``cancel()``, or with the last reference to it.
public final class BatchObservation: Sendable {
  private let onCancel: Locked<(@Sendable () -> Void)?>

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = Locked(onCancel) }

  deinit { cancel() }

  /// Ends the observation. A call that is on its way may still arrive. More than once is harmless.
  public func cancel() {
    let action = onCancel.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
