import AutoMobileRecorder

/// What of the network matters for uploading.
package struct NetworkPath: Sendable, Equatable {
  package var isSatisfied: Bool
  /// Wi-Fi, or a cable.
  package var isWiFi: Bool

  package init(isSatisfied: Bool, isWiFi: Bool) {
    self.isSatisfied = isSatisfied
    self.isWiFi = isWiFi
  }

  func allows(wifiOnly: Bool) -> Bool { isSatisfied && (isWiFi || !wifiOnly) }
}

/// Watches the network.
package protocol PathMonitor: Sendable {
  /// Calls back soon with the path as it is, and at each change, until ``stop()``. Any thread.
  func start(_ onChange: @escaping @Sendable (NetworkPath) -> Void)
  func stop()
}

/// For platforms where nobody tells: there is a network, and it costs nothing.
package struct UnmonitoredPath: PathMonitor {
  package init() {}

  package func start(_ onChange: @escaping @Sendable (NetworkPath) -> Void) {
    onChange(NetworkPath(isSatisfied: true, isWiFi: true))
  }

  package func stop() {}
}
