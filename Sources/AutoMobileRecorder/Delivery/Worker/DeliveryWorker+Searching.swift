// Which of the receivers on this machine a simulator delivers to. On the worker's queue.
extension DeliveryWorker {
  func findReceiver() {
    guard case .simulator(let simulator) = options.destination else { return }
    guard hasWork else {
      endOwnFirst(isSent: true)
      return state.isStopping ? finishStopping() : ()
    }
    let apiKey = options.apiKey
    state.isBusy = true
    simulator.find(transport, on: queue, while: { [self] in maySearch }) { [self] base in
      state.isBusy = false
      defer { becomeIdle() }
      // Whoever held it back has it go on.
      guard maySearch else { return }
      if let endpoint = base.flatMap({ DeliveryEndpoint(base: $0, apiKey: apiKey) }) {
        state.receiver = Receiver(endpoint)
        pump()
      } else {
        state.status.lastError = "no receiver for the simulator \(simulator.deviceId) on this machine's ports"
        wait(milliseconds: state.pause.failed(status: 0, retryAfter: nil))
      }
    }
  }

  private var maySearch: Bool { !state.isStopped && state.holds.isSubset(of: .crashAtLaunch) }
}
