/// What became of ``Replay/start()``.
public struct ReplayStartResult: Sendable, Hashable {
  /// Something is recorded now: a replay, or events only.
  public let success: Bool
  /// The replay's id, which every event carries as `replayId` as long as it is recorded.
  public let sessionId: String?
  /// Why nothing is recorded: `access_denied_<status>` when the collector does not want this app, `sampled_out`, `stopped`,
  /// `start_timeout` or `no_credential` (without a network: then the replay begins when there is one), `not_configured`, `disabled`
  /// while the SDK is switched off, `no_storage` where the disk is full or refuses, or another short word.
  public let error: String?
  /// Recording is switched off remotely: events are recorded, the screen is not.
  public let telemetryOnly: Bool

  package init(success: Bool, sessionId: String? = nil, error: String? = nil, telemetryOnly: Bool = false) {
    self.success = success
    self.sessionId = sessionId
    self.error = error
    self.telemetryOnly = telemetryOnly
  }

  static func failed(_ error: String) -> ReplayStartResult { ReplayStartResult(success: false, error: error) }
}

/// What became of ``Replay/stop()``.
public struct ReplayStopResult: Sendable, Hashable {
  /// Nothing is recorded any more.
  public let success: Bool
  /// The replay that ended; nil when none was being recorded. What could not be uploaded yet is kept, and uploaded later.
  public let sessionId: String?

  package init(success: Bool, sessionId: String? = nil) {
    self.success = success
    self.sessionId = sessionId
  }
}
