/// Passes batches of events on.
public protocol EventBroadcasting: Sendable {
  func broadcastBatch(bundleId: String?, events: [any SdkEvent])
}
