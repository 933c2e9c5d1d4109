import AutoMobileRecorder

extension AutoMobileIntegration {
  /// Requests, mocked ones among them, and frames of WebSockets.
  public static var requests: Self {
    Self(.requests) { $0.subsystems.append(.network(AutoMobileNetwork.shared)) }
  }
}

extension SdkEnvironment.Subsystem {
  static func network(_ network: AutoMobileNetwork) -> Self {
    Self(
      name: .network,
      start: { network.start($0) },
      rest: { network.rest($0) },
      setEnabled: { network.setEnabled($0, $1) },
      isEnabled: { network.isEnabled },
      // What the app has been told of may still be on its way into the recording.
      settle: { await NetworkInterception.shared.settle(within: 1) },
      reset: { network.reset() })
  }
}
