import AutoMobileRecorder
import AutoMobileSupport

/// Keeps the delegates that watch over actions.
final class ActionHandlers: Sendable {
  /// More are not kept: an app that installs a handler again and again, over another delegate each time, would never end.
  private static let maximumCount = 16
  private let handlers = Locked<[any AnyObject & Sendable]>([])

  /// The one that fits, or a new one.
  func find<Handler: AnyObject & Sendable>(_ isWanted: (Handler) -> Bool, or make: () -> Handler) -> Handler {
    handlers.withLock { handlers in
      if let known = handlers.lazy.compactMap({ $0 as? Handler }).first(where: isWanted) { return known }
      let new = make()
      handlers = handlers.suffix(Self.maximumCount - 1) + [new]
      return new
    }
  }

  func removeAll() { handlers.withLock { $0 = [] } }
}

/// A completion handler that is called once, however often its user does.
final class OnceCompletion<Value>: Sendable {
  private let handler: Locked<(@Sendable (Value) -> Void)?>

  /// - Parameter handler: may be called on any thread, whether or not its type says so.
  init(_ handler: @escaping (Value) -> Void) {
    nonisolated(unsafe) let handler = handler
    self.handler = Locked { handler($0) }
  }

  func callAsFunction(_ value: Value) {
    let handler = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    handler?(value)
  }
}
