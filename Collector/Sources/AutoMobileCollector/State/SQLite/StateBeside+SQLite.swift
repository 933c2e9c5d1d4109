extension EventStore {
  var beside: StateBeside {
    StateBeside(state: state, copy: own) { if sharesState { try pullIssues() } }
  }
}
