/// A lane as it is listed.
struct ForwardLaneView {
  let forwarder: Forwarder
  let signal: ForwardSignal
  let entry: ForwardLedger.Entry
  /// nil: it does not run.
  let status: ForwardLane.Status?
  /// Events behind the place that it has come to.
  let behind: Int64

  enum State: String, CaseIterable {
    case upToDate = "up_to_date"
    case sending, waiting, blocked, paused, unused
  }

  var state: State {
    if ForwardFilter(forwarder.settings, signal).isEmpty { return .unused }
    if forwarder.settings.isPaused { return .paused }
    return switch status?.activity {
    case .upToDate?: .upToDate
    // What that one does is seen by how far it has come.
    case .elsewhere?: behind > 0 ? .sending : .upToDate
    case .sending?, nil: .sending
    case .waiting?: .waiting
    case .blocked?: .blocked
    }
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("signal", signal.rawValue)
      $0.member("state", state.rawValue)
      $0.member("behind", state == .unused ? 0 : behind)
      $0.member("sent", entry.sent)
      $0.member("rejected", entry.rejected)
      $0.member("expired", entry.expired)
      $0.member("passedOver", entry.passedOver)
      $0.member("lastSent", entry.lastSent)
      switch status?.activity {
      case .waiting(let reason, let attempts, let until)?:
        $0.member("reason", reason)
        $0.member("attempts", Int64(attempts))
        $0.member("until", until)
      case .blocked(let reason)?: $0.member("reason", reason)
      case .upToDate?, .sending?, .elsewhere?, nil: break
      }
      $0.member("refusal", entry.refusal)
      $0.member("refusedAt", entry.refusedAt)
    }
  }
}
