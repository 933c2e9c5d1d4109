import Foundation

/// How a question that a collector holds is asked.
struct ListeningQuestion {
  /// For how long it may be held.
  var seconds: Int
  var takesCommands: Bool
  /// Who asks, where something is kept that a collector may ask for.
  var asker: String?

  static let askerHeader = "X-AutoMobile-Asker"
  /// For how many seconds a collector holds questions, in its answers.
  static let offerHeader = "x-automobile-listen"
  /// Whatever a collector says.
  static let seconds = 10...300
  /// After how long somebody who is offered nothing looks whether there is room now: from 1 to 16 minutes, and up to a quarter more,
  /// so that not all who have lost a collector come back at one moment.
  static let offerPauses = RetryPolicy(baseDelayMs: 60_000, maxDelayMs: 960_000)
}

// News of the document, heard at once: for builds that take commands, and for apps that keep what they record while they are in the
// foreground. On the channel's queue.
extension ControlChannel {
  /// How to ask at present; nil: not at all.
  var question: ListeningQuestion? {
    if takesCommands {
      return ListeningQuestion(seconds: options.pollSeconds, takesCommands: true, asker: state.asker?())
    }
    guard wouldListen, let asker = state.asker?(), let seconds = state.listenSeconds else { return nil }
    return ListeningQuestion(seconds: seconds, takesCommands: false, asker: asker)
  }

  private var takesCommands: Bool { commands.isOpen && state.channel.takesCommands }

  /// Without anything that could be asked for, a change of the document has the time until the next delivery.
  private var wouldListen: Bool { state.asker != nil && state.isInForeground && !options.isSavingPower() }

  /// A question has been answered.
  func noteListening(_ answer: HTTPAnswer) {
    // In the place of a collector that holds questions there is something else, for now perhaps.
    if answer.status == 404 { state.listenSeconds = nil } else { noteOffer(answer) }
    if answer.status == 204, state.listenSeconds != nil { state.offersSought = 0 }
    updateCommandLoop()
    if let tag = Self.tag(answer[header: Self.header]) { noteTag(tag) }
  }

  /// A collector that has no place for one more question does not say that it holds any.
  func noteOffer(_ answer: HTTPAnswer) {
    guard [200, 204, 304].contains(answer.status) else { return }
    let seconds = answer[header: ListeningQuestion.offerHeader].flatMap { Int($0) }
    state.listenSeconds = seconds.flatMap { ListeningQuestion.seconds.contains($0) ? $0 : nil }
  }

  /// Looks after a while whether a collector that has no place now has one again: nobody tells that.
  func seekOffer() {
    guard isWithoutOffer, !state.seeksOffer else { return }
    state.seeksOffer = true
    clock.after(Int64(clamping: ListeningQuestion.offerPauses.delayMs(attempt: state.offersSought)), queue) {
      [weak self] in
      guard let self else { return }
      state.seeksOffer = false
      // In the background, paused or stopped: whatever ends that begins this anew.
      guard isWithoutOffer else { return }
      state.offersSought &+= 1
      fetch(because: .poll)
    }
  }

  /// While recording is off the collector has set another pace.
  private var isWithoutOffer: Bool {
    state.isCollector && !state.isStopped && !state.isPaused && !isOff && state.listenSeconds == nil && wouldListen
      && !takesCommands
  }

  /// Has Low Power Mode end and begin it, for whoever might listen.
  func followPower() {
    guard state.asker != nil, !state.isPaused, !state.isStopped else {
      state.power = nil
      return
    }
    guard state.power == nil else { return }
    // Who has not asked whether it is on is not told when it ends.
    _ = options.isSavingPower()
    let power = NotificationObservations(.default)
    // Posted on whatever thread.
    power.add(Self.powerChange, at: .deviceState) { [weak self] in
      guard let self else { return }
      queue.async { [self] in updateCommandLoop() }
    }
    state.power = power
  }

  /// Foundation's name for it; not all platforms have one.
  static let powerChange = Notification.Name("NSProcessInfoPowerStateDidChangeNotification")
}

extension SdkContext {
  /// Whom a collector may ask for here, as a collector is told with a question: `session=…&user=…&device=…&version=…`.
  var asker: String {
    let snapshot = snapshot()
    let parts = [
      ("session", snapshot.sessionId), ("user", snapshot.userId), ("device", anonymousId),
      ("version", snapshot.appVersion),
    ]
    var asker = ""
    for (name, value) in parts {
      // A longer one cannot be asked for.
      guard let value, (1...500).contains(value.utf8.count),
        let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
      else { continue }
      let part = "\(asker.isEmpty ? "" : "&")\(name)=\(encoded)"
      if asker.utf8.count + part.utf8.count <= Self.longestAsker { asker += part }
    }
    return asker
  }

  /// In bytes. It goes with deliveries too, and none is to be refused for its sake: servers take 8 KB of headers, and some not more.
  private static let longestAsker = 2048
}
