extension AutoMobileSDK {
  /// Has a listener told of every navigation event. The listener is kept until it is removed.
  public func addNavigationListener(_ listener: any NavigationListener) { navigationListeners.add(listener) }

  /// Has a closure called with every navigation event, on the thread that reports it.
  ///
  /// - Returns: what to remove it by.
  @discardableResult
  public func addNavigationListener(
    _ block: @escaping @Sendable (NavigationEvent) -> Void
  ) -> any NavigationListener {
    let listener = BlockNavigationListener(block)
    navigationListeners.add(listener)
    return listener
  }

  public func removeNavigationListener(_ listener: any NavigationListener) { navigationListeners.remove(listener) }

  public func clearNavigationListeners() { navigationListeners.removeAll() }

  public var listenerCount: Int { navigationListeners.count }

  /// Reports that a screen was shown: records it, and tells the listeners, on this thread. While recording is switched
  /// off, the listeners are not told either.
  public func notifyNavigationEvent(_ event: NavigationEvent) {
    withRecorder {
      $0.record(event.sdkEvent)
    } before: {
      keepEarly(event.sdkEvent)
    }
    currentScreen.note(event.destination)
    navigationListeners.notify(event) { isEnabled }
  }
}
