import Foundation

/// Why the collector is asked for its document.
enum FetchReason: Equatable {
  case start
  case foreground
  /// An answer named another version.
  case named(String)
  /// Recording is off, and somebody may have switched it on again.
  case poll
}

// When to ask for the document, and what the answers mean. On the channel's queue.
extension ControlChannel {
  /// Between two requests for a tag that fetching does not lead to, in milliseconds.
  private static let fruitlessInterval: Int64 = 60_000

  /// Asks now, later, or not at all, depending on when it was asked last.
  func fetch(because reason: FetchReason) {
    guard state.isLoaded, !state.isStopped, !state.isPaused else { return }
    guard !state.isFetching else {
      if case .named(let tag) = reason { state.nextTag = tag }
      return
    }
    let now = clock.now()
    guard quietLeft == 0 else {
      if case .named(let tag) = reason { state.wantedTag = tag }
      return plan(in: quietLeft)
    }
    let age = state.fetchedAt.map { now.subtractingReportingOverflow($0).partialValue }
    switch reason {
    case .poll: ask()
    case .start, .foreground:
      if let age, age < options.checkInterval { return }
      // The launch before may have asked a moment ago; but whoever is switched off, or takes commands, wants to know.
      // And whoever keeps something does not know whether this collector holds questions.
      if reason == .start, !isOff, !commands.isOpen, state.asker == nil, isFresh { return }
      ask()
    case .named(let tag):
      state.wantedTag = tag
      let interval = tag == state.fruitlessTag ? Self.fruitlessInterval : options.namedInterval
      guard let age, age < interval else { return ask() }
      plan(in: interval &- max(0, age))
    }
  }

  /// Asks also when a request is under way, as soon as that is over.
  func fetchAgain(because reason: FetchReason) {
    if state.isFetching { state.isFetchedAgain = true } else { fetch(because: reason) }
  }

  /// The cache was confirmed less than ``ControlOptions/checkInterval`` ago, as far as the clock on the wall can be trusted.
  private var isFresh: Bool {
    guard state.document != nil, let checked = state.status.lastCheck else { return false }
    let (age, overflow) = clock.wall().subtractingReportingOverflow(checked)
    return !overflow && age >= 0 && age < options.checkInterval
  }

  private func plan(in milliseconds: Int64) {
    let due = clock.now().addingReportingOverflow(milliseconds).partialValue
    if let planned = state.planDue, planned <= due { return }
    state.planDue = due
    state.plan &+= 1
    let plan = state.plan
    clock.after(milliseconds, queue) { [weak self] in
      guard let self, state.plan == plan else { return }
      state.planDue = nil
      fetch(because: .poll)
    }
  }

  private func ask() {
    // Another process has said something, of which this one is about to hear: paused or not, that is known soon.
    guard options.maySend() else { return plan(in: options.namedInterval) }
    state.fetchedAt = clock.now()
    state.plan &+= 1
    state.planDue = nil
    if state.endpoint == nil { findReceiver() } else { send() }
  }

  /// On a simulator: delivery, which looks for it too, does not while recording is off.
  private func findReceiver() {
    guard let simulator = options.simulator else { return }
    state.isFetching = true
    let isWanted: @Sendable () -> Bool = { [weak self] in
      self.map { !$0.state.isStopped && !$0.state.isPaused } ?? false
    }
    simulator.find(transport, on: queue, while: isWanted) { [weak self, options] base in
      guard let self else { return }
      state.isFetching = false
      guard isWanted() else { return }
      state.endpoint = state.endpoint ?? base.flatMap { DeliveryEndpoint(base: $0, apiKey: options.apiKey) }
      if state.endpoint != nil { return send() }
      complain("no receiver for the simulator \(simulator.deviceId) on this machine's ports")
      goOn()
    }
  }

  private func send() {
    let query: [(String, String?)] = [("bundleId", options.bundleId), ("launchId", options.launch.description)]
    guard let endpoint = state.endpoint, let url = endpoint.url("sdk-config", query) else { return }
    var headers = endpoint.controlHeaders(sdkVersion: options.sdkVersion)
    headers["If-None-Match"] = state.tag.map { "\"\($0)\"" }
    headers[ListeningQuestion.askerHeader] = state.asker?()
    state.isFetching = true
    state.status.requests &+= 1
    let request = HTTPRequest(method: "GET", url: url, headers: headers, timeouts: endpoint.timeouts)
    transport.send(request) { [weak self, queue] answer in
      queue.async { [weak self] in self?.settle(answer) }
    }
  }

  private func settle(_ answer: HTTPAnswer) {
    state.isFetching = false
    // What came in at the last moment is not kept either.
    guard !state.isStopped, !state.isPaused else { return }
    state.status.lastStatusCode = answer.status
    obey(answer)
    noteOffer(answer)
    switch answer.status {
    case 200:
      let tag = Self.tag(answer[header: "etag"])
      guard let tag else {
        complain("the response is not a configuration document: it has no entity tag")
        break
      }
      apply(answer.body, tag: tag)
      if state.tag == tag { state.isCollector = true }
    case 304 where state.tag != nil:
      state.isCollector = true
      confirm()
    case 0: complain(answer.failure ?? "no response")
    case 300..<400:
      complain("the collector redirects to \(answer[header: "location"] ?? "?"): set the endpoint to that")
    case 401, 403: complain("the collector wants another API key (\(answer.status))")
    case 404: complain("the receiver has no configuration (404)")
    case let status: complain("the collector answers \(status)")
    }
    updateCommandLoop()
    goOn()
  }

  /// For how much longer the collector wants to be left alone, in milliseconds.
  var quietLeft: Int64 {
    state.quietUntil.map { max(0, $0.subtractingReportingOverflow(clock.now()).partialValue) } ?? 0
  }

  /// A receiver that is busy says for how long: to whichever request, nobody asks it for the document before that is over.
  func obey(_ answer: HTTPAnswer) {
    guard answer.status >= 400, let wish = answer.retryAfter(now: clock.wall()) else { return }
    let (until, overflow) = clock.now().addingReportingOverflow(wish)
    state.quietUntil = max(state.quietUntil ?? .min, overflow ? .max : until)
  }

  private func complain(_ reason: String) {
    state.status.lastError = reason
    note(.failed, reason)
  }

  private func goOn() {
    let answered = state.status.lastStatusCode != 0
    state.fruitlessTag = answered && state.wantedTag != state.tag ? state.wantedTag : nil
    state.wantedTag = nil
    if let tag = state.nextTag {
      state.nextTag = nil
      if tag != state.tag { fetch(because: .named(tag)) }
    }
    if state.isFetchedAgain {
      state.isFetchedAgain = false
      fetch(because: .poll)
    }
    // While the collector wants to be left alone, that is planned for its end.
    if isOff, !state.isFetching { plan(in: max(state.channel.checkSeconds &* 1000, quietLeft)) }
  }
}

extension DeliveryEndpoint {
  func controlHeaders(sdkVersion: String?) -> [String: String] {
    var headers = ["Accept": "application/json"]
    headers["User-Agent"] = sdkVersion.map { "AutoMobileSDK/\($0)" }
    if let apiKey { headers["Authorization"] = "Bearer \(apiKey)" }
    return headers
  }
}
