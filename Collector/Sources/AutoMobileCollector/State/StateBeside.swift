import AutoMobileState

/// The state, and what of it is read beside telemetry that lies elsewhere: the same, or a copy that ``StateCopy`` keeps up to date.
struct StateBeside: Sendable {
  let state: any StateStore
  let copy: any StateStore
  /// Brings the copy up to date after a change of issues. Waits on the thread that it is called on.
  let followIssues: @Sendable () throws -> Void
}
