import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// Brings commands to apps and their answers back. In memory only: a command lives for seconds.
///
/// An app's question is held open until there is a command for it, the configuration changes, or its time is over.
/// Whoever gives a command waits until the app has answered, or the command's time is over.
final class CommandExchange: Sendable {
  struct Command: Sendable {
    var id: String
    var name: String
    /// JSON.
    var arguments: String
    var timeout: Double
  }

  /// Who asks: a launch's name is its app's, so another app neither gets its commands nor answers for it.
  struct Address: Sendable, Hashable {
    var owner: DataOwner
    var launch: String
  }

  /// An app that asks for commands.
  struct Listener: Sendable {
    var address: Address
    var bundle: String?
    /// What it says that it knows.
    var names: [String]
    /// Milliseconds since 1970.
    var lastSeen: Int64

    var launch: String { address.launch }
  }

  enum Answer: Sendable {
    /// What the app said, as JSON: `{"ok":…}`.
    case body(ByteBuffer)
    case timeout
    /// Nobody of this name asks for commands.
    case gone
    case busy
    case stopping
  }

  private struct Question {
    var id: UInt64
    var hasNews: @Sendable () -> Bool
    var continuation: CheckedContinuation<[Command], Never>
  }

  private struct App {
    var listener: Listener
    var queue: [Command] = []
    var question: Question?
  }

  private struct Waiting {
    var address: Address
    var continuation: CheckedContinuation<Answer, Never>
  }

  private struct State {
    var apps: [Address: App] = [:]
    /// Launches that have asked once and do not any more, the latest last.
    var left: [Address] = []
    var waiting: [String: Waiting] = [:]
    var lastQuestion: UInt64 = 0
    var isStopped = false

    func hasRoom(for owner: DataOwner) -> Bool {
      apps.count < CommandExchange.maximumListeners
        && apps.keys.count { $0.owner == owner } < CommandExchange.maximumListenersOfApp
    }
  }

  /// Questions at one time; the rest are answered at once, with nothing.
  static let maximumListeners = 256
  /// Of one app: the others' questions have room whatever it asks.
  static let maximumListenersOfApp = 32
  /// Commands that nobody has answered yet.
  static let maximumCommands = 64
  static let maximumPerLaunch = 16
  /// How many launches are remembered that have left.
  static let maximumLeft = 256
  /// An app is there until it has not asked for this long, in milliseconds: between two questions it works.
  private let grace: Int64
  private let state = NIOLockedValueBox(State())

  init(grace: Int64 = 10_000) { self.grace = grace }

  // MARK: The app's side

  /// A name for a question, so that its end is told from that of a later one.
  func nextQuestion() -> UInt64 {
    state.withLockedValue { state in
      state.lastQuestion += 1
      return state.lastQuestion
    }
  }

  /// The connection by which a question came is gone, and so is whoever asked: the app has ended, or lost the network.
  func leave(_ id: UInt64, of launch: Address) {
    let open = state.withLockedValue { state -> CheckedContinuation<[Command], Never>? in
      guard let question = state.apps[launch]?.question, question.id == id else { return nil }
      Self.remove(launch, &state)
      return question.continuation
    }
    open?.resume(returning: [])
  }

  /// Waits for commands; none when the time is over or there is other news.
  ///
  /// - Parameter hasNews: asked once the question is there to be answered, and again whenever there may be, so that no news falls
  ///   between.
  func question(
    _ id: UInt64, of listener: Listener, wait seconds: Double, hasNews: @escaping @Sendable () -> Bool = { false }
  ) async -> [Command] {
    var timer: Task<Void, Never>?
    let commands = await withCheckedContinuation { continuation in
      let (answer, replaced): ([Command]?, CheckedContinuation<[Command], Never>?) = state.withLockedValue { state in
        guard !state.isStopped else { return ([], nil) }
        forget(&state)
        var app = state.apps[listener.address] ?? App(listener: listener)
        app.listener = listener
        // A question that is still open is of a connection that is gone.
        let old = app.question?.continuation
        app.question = nil
        let commands = app.queue
        app.queue = []
        let isFull = state.apps[listener.address] == nil && !state.hasRoom(for: listener.address.owner)
        let waits = commands.isEmpty && !isFull
        if waits { app.question = Question(id: id, hasNews: hasNews, continuation: continuation) }
        if !isFull { state.apps[listener.address] = app }
        return (waits ? nil : commands, old)
      }
      replaced?.resume(returning: [])
      if let answer { return continuation.resume(returning: answer) }
      if hasNews() { return end(id, of: listener.address) }
      // Not before the question is there to be ended: one that waits no time would be missed, and wait for ever.
      timer = Task { [self] in
        try? await Task.sleep(for: .seconds(seconds))
        end(id, of: listener.address)
      }
    }
    timer?.cancel()
    return commands
  }

  /// Takes an app's answer; false when nobody waits for it (any more).
  ///
  /// - Parameter owner: nil for whoever may answer for all apps, and says not for which.
  func answer(_ id: String, launch: String, owner: DataOwner?, _ body: ByteBuffer) -> Bool {
    let waiting = state.withLockedValue { state -> Waiting? in
      guard let address = state.waiting[id]?.address, address.launch == launch, owner ?? address.owner == address.owner
      else { return nil }
      return state.waiting.removeValue(forKey: id)
    }
    waiting?.continuation.resume(returning: .body(body))
    return waiting != nil
  }

  /// Answers with nothing those for whom there is news: their answers say what the current configuration is. The others stay: who
  /// is answered soon again and again, with nothing, takes its time until it asks the next time.
  func wake() {
    let open = state.withLockedValue { state in
      state.apps.compactMap { launch, app in app.question.map { (launch, $0.id, $0.hasNews) } }
    }
    // Looking for news may take a while, and is not done under the lock.
    for (launch, id, hasNews) in open where hasNews() { end(id, of: launch) }
  }

  // MARK: The operator's side

  /// Who would answer a command at this moment, the latest first.
  var listeners: [Listener] {
    state.withLockedValue { state in
      forget(&state)
      return state.apps.values.map(\.listener).sorted { $0.lastSeen > $1.lastSeen }
    }
  }

  /// Launches that would have answered earlier: those of debug builds that have ended, or are in the background.
  var left: [Address] {
    state.withLockedValue { state in
      forget(&state)
      return state.left
    }
  }

  /// Has a command done, and waits for the answer.
  func ask(_ command: Command, of launch: Address) async -> Answer {
    let timer = Task { [self] in
      // The app gives up by itself, and says so; this is for one that is gone.
      try? await Task.sleep(for: .seconds(command.timeout + 2))
      giveUp(command.id)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let (refusal, question) = state.withLockedValue { state -> (Answer?, CheckedContinuation<[Command], Never>?) in
        guard !state.isStopped else { return (.stopping, nil) }
        guard let app = state.apps[launch] else { return (.gone, nil) }
        guard state.waiting.count < Self.maximumCommands, app.queue.count < Self.maximumPerLaunch else {
          return (.busy, nil)
        }
        state.waiting[command.id] = Waiting(address: launch, continuation: continuation)
        let question = Self.takeQuestion(of: launch, &state)
        if question == nil { state.apps[launch]?.queue.append(command) }
        return (nil, question)
      }
      question?.resume(returning: [command])
      if let refusal { continuation.resume(returning: refusal) }
    }
  }

  /// Ends everything that waits, for good.
  func finish() {
    let (questions, waiting) = state.withLockedValue { state in
      defer { state = State(isStopped: true) }
      return (state.apps.values.compactMap(\.question?.continuation), Array(state.waiting.values))
    }
    for question in questions { question.resume(returning: []) }
    for command in waiting { command.continuation.resume(returning: .stopping) }
  }

  // MARK: Time

  private func end(_ id: UInt64, of launch: Address) {
    let open = state.withLockedValue { state -> CheckedContinuation<[Command], Never>? in
      state.apps[launch]?.question?.id == id ? Self.takeQuestion(of: launch, &state) : nil
    }
    open?.resume(returning: [])
  }

  private func giveUp(_ id: String) {
    let waiting = state.withLockedValue { state in
      for launch in state.apps.keys { state.apps[launch]?.queue.removeAll { $0.id == id } }
      return state.waiting.removeValue(forKey: id)
    }
    waiting?.continuation.resume(returning: .timeout)
  }

  private static func takeQuestion(of launch: Address, _ state: inout State) -> CheckedContinuation<[Command], Never>? {
    guard let question = state.apps[launch]?.question else { return nil }
    state.apps[launch]?.question = nil
    state.apps[launch]?.listener.lastSeen = WallClock.now
    return question.continuation
  }

  private func forget(_ state: inout State) {
    let now = WallClock.now
    for (launch, app) in state.apps where app.question == nil && now - app.listener.lastSeen >= grace {
      Self.remove(launch, &state)
    }
  }

  private static func remove(_ launch: Address, _ state: inout State) {
    state.apps[launch] = nil
    state.left.removeAll { $0 == launch }
    state.left.append(launch)
    if state.left.count > maximumLeft { state.left.removeFirst() }
  }
}
