import AutoMobileSupport
import Foundation

/// Asks the collector for commands, again and again: each question is held open until there is one, or its time is over.
/// Exists while the collector is known to be one of ours; in release builds it takes no commands, and listens for news of the
/// document only. On the channel's queue.
final class CommandLoop: @unchecked Sendable {
  // Unchecked: `state` is used on the channel's queue only; all else is constant.

  struct State {
    var isStopped = false
    /// Ids that were taken already: a collector may hand a command out twice.
    var seen = RingBuffer<String>(capacity: 64)
    /// Tags that answers have named: one that is named again is no news, wherever asking for it has led.
    var named = RingBuffer<String>(capacity: 8)
    /// The pause before the next question, in milliseconds, after trouble or answers that come too fast.
    var pause: Int64 = 0
  }

  private let endpoint: DeliveryEndpoint
  private let options: ControlOptions
  private let poll: any RequestTransport
  private let answers: any RequestTransport
  private let registry: CommandRegistry
  private let clock: DeliveryClock
  private let queue: DispatchQueue
  /// Called on the queue: the document in use, so that a newer one is told at once.
  private let currentTag: @Sendable () -> String?
  /// Called on the queue: how to ask now; nil: not any more.
  private let question: @Sendable () -> ListeningQuestion?
  /// Called on the queue: an answer that may name a document.
  private let onAnswer: @Sendable (HTTPAnswer) -> Void
  /// Called on the queue: an answer that says for how long the collector wants to be left alone, perhaps.
  private let onTrouble: @Sendable (HTTPAnswer) -> Void
  /// Called on the queue: for how much longer it does, whatever was asked when it said so, in milliseconds.
  private let quietLeft: @Sendable () -> Int64
  private let onCommand: @Sendable (_ command: ControlCommand, _ outcome: CommandOutcome, _ milliseconds: Int64) -> Void
  private var state = State()

  /// In milliseconds. An answer without a command that comes faster than this was not held open; and so much time the document is
  /// given to come, of which an answer has told.
  private static let shortest: Int64 = 1000
  private static let longestPause: Int64 = 60_000

  init(
    endpoint: DeliveryEndpoint, options: ControlOptions, poll: any RequestTransport, answers: any RequestTransport,
    registry: CommandRegistry, clock: DeliveryClock, queue: DispatchQueue,
    currentTag: @escaping @Sendable () -> String?, question: @escaping @Sendable () -> ListeningQuestion?,
    onAnswer: @escaping @Sendable (HTTPAnswer) -> Void,
    onTrouble: @escaping @Sendable (HTTPAnswer) -> Void, quietLeft: @escaping @Sendable () -> Int64,
    onCommand: @escaping @Sendable (ControlCommand, CommandOutcome, Int64) -> Void
  ) {
    self.endpoint = endpoint
    self.options = options
    self.poll = poll
    self.answers = answers
    self.registry = registry
    self.clock = clock
    self.queue = queue
    self.currentTag = currentTag
    self.question = question
    self.onAnswer = onAnswer
    self.onTrouble = onTrouble
    self.quietLeft = quietLeft
    self.onCommand = onCommand
  }

  var isStopped: Bool { state.isStopped }

  func stop() { state.isStopped = true }

  func ask() {
    guard !state.isStopped else { return }
    guard options.maySend() else {
      return clock.after(Self.shortest, queue) { [weak self] in self?.ask() }
    }
    let quiet = quietLeft()
    guard quiet == 0 else { return clock.after(quiet, queue) { [weak self] in self?.ask() } }
    guard let question = question() else { return stop() }
    let known = currentTag()
    let query: [(String, String?)] = [
      ("launchId", options.launch.description), ("bundleId", options.bundleId),
      ("commands", question.takesCommands ? registry.names.joined(separator: ",") : nil), ("config", known),
      ("wait", String(question.seconds)),
    ]
    guard let url = endpoint.url("sdk-commands", query) else { return }
    let wait = Double(question.seconds)
    var headers = endpoint.controlHeaders(sdkVersion: options.sdkVersion)
    headers[ListeningQuestion.askerHeader] = question.asker
    let request = HTTPRequest(
      method: "GET", url: url, headers: headers, timeouts: HTTPTimeouts(silence: wait + 10, whole: wait + 15))
    let start = clock.now()
    poll.send(request) { [weak self, queue] answer in
      queue.async { [weak self] in self?.settle(answer, to: question, known, start) }
    }
  }

  private func settle(_ answer: HTTPAnswer, to question: ListeningQuestion, _ known: String?, _ start: Int64) {
    guard !state.isStopped else { return }
    let elapsed = clock.now().subtractingReportingOverflow(start).partialValue
    // A network or a collector that is slow holds nothing: there may be a hundred thousand of those who only listen.
    let held = question.takesCommands ? Self.shortest : Int64(question.seconds) &* 500
    let isNews = isNews(answer, to: known)
    onAnswer(answer)
    switch answer.status {
    case 200 where take(answer.body): state.pause = 0
    case 204 where isNews: state.pause = Self.shortest
    case 204 where elapsed >= held: state.pause = 0
    // It does not know commands; the next document that it confirms begins anew.
    case 404: return stop()
    default:
      onTrouble(answer)
      state.pause = min(max(1000, state.pause &* 2), Self.longestPause)
    }
    guard state.pause > 0 else { return ask() }
    clock.after(max(state.pause, quietLeft()), queue) { [weak self] in self?.ask() }
  }

  /// Whether it names a document that is neither the one in use nor one that has been named before.
  private func isNews(_ answer: HTTPAnswer, to known: String?) -> Bool {
    guard let tag = ControlChannel.tag(answer[header: ControlChannel.header]), tag != known,
      !state.named.elements.contains(tag)
    else { return false }
    state.named.append(tag)
    return true
  }

  /// Whether there was a command in it.
  private func take(_ body: Data) -> Bool {
    guard registry.isOpen, body.count <= ControlDocument.maximumSize,
      let answer = try? ControlJSON.object(body, maximumDepth: ControlDocument.maximumDepth),
      let values = try? ControlValue("commands", answer["commands"]).elements(maximum: ControlCommand.maximumCount)
    else { return false }
    let commands = values.compactMap { try? ControlCommand($0) }.filter { !state.seen.elements.contains($0.id) }
    for command in commands {
      state.seen.append(command.id)
      run(command)
    }
    return !commands.isEmpty
  }

  private func run(_ command: ControlCommand) {
    let start = clock.now()
    registry.run(command) { [weak self, queue] outcome in
      queue.async { [weak self] in
        guard let self, !state.isStopped else { return }
        onCommand(command, outcome, clock.now().subtractingReportingOverflow(start).partialValue)
        self.answer(command, outcome, attemptsLeft: 1)
      }
    }
  }

  private func answer(_ command: ControlCommand, _ outcome: CommandOutcome, attemptsLeft: Int) {
    // A second time comes later: much may have been said since.
    guard !state.isStopped, options.maySend(),
      let url = endpoint.url("sdk-commands/\(command.id)/result", [("launchId", options.launch.description)])
    else { return }
    var headers = endpoint.controlHeaders(sdkVersion: options.sdkVersion)
    headers["Content-Type"] = "application/json"
    let request = HTTPRequest(
      method: "POST", url: url, headers: headers, body: Self.body(outcome), timeouts: endpoint.timeouts)
    answers.send(request) { [weak self, queue] answer in
      guard attemptsLeft > 0, answer.status == 0 || RetryPolicy.isTransient(answer.status) else { return }
      queue.async { [weak self] in
        guard let self, !state.isStopped else { return }
        clock.after(500, queue) { [weak self] in self?.answer(command, outcome, attemptsLeft: attemptsLeft - 1) }
      }
    }
  }

  private static func body(_ outcome: CommandOutcome) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let body = try? encoder.encode(outcome.json), body.count <= CommandRegistry.maximumResult { return body }
    let limit = CommandRegistry.maximumResult
    let tooLarge = CommandOutcome.failed(code: "too_large", message: "the response has more than \(limit) bytes")
    return (try? encoder.encode(tooLarge.json)) ?? Data(#"{"ok":false}"#.utf8)
  }
}

extension ControlChannel {
  /// Starts or ends the questions for commands and for news, as it should be now.
  func updateCommandLoop() {
    let isWanted = state.isCollector && !state.isStopped && !state.isPaused && question != nil
    if !isWanted {
      seekOffer()
      guard let loop = state.loop else { return }
      loop.stop()
      state.loop = nil
      // The one that is held is worth nothing any more, neither here nor there.
      pollTransport.cancelAll()
    } else if state.loop?.isStopped != false, let endpoint = state.endpoint {
      let loop = CommandLoop(
        endpoint: endpoint, options: options, poll: pollTransport, answers: transport, registry: commands,
        clock: clock, queue: queue, currentTag: { [weak self] in self?.state.tag },
        question: { [weak self] in self?.question }, onAnswer: { [weak self] in self?.noteListening($0) },
        onTrouble: { [weak self] in self?.obey($0) }, quietLeft: { [weak self] in self?.quietLeft ?? 0 },
        onCommand: { [weak self] in self?.noteCommand($0, $1, milliseconds: $2) })
      state.loop = loop
      loop.ask()
    }
  }

  private func noteCommand(_ command: ControlCommand, _ outcome: CommandOutcome, milliseconds: Int64) {
    let message = "\(command.name.prefix(64)): \(outcome.summary) (\(milliseconds) ms)"
    note(.command, message)
    state.onCommand?(message)
  }
}
