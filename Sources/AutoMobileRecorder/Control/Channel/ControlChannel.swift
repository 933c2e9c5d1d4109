import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// The one way by which a collector tells the SDK something: a configuration document, and in debug builds commands.
///
///     collector ──X-AutoMobile-Config: 7-9f2c──▶ delivery ──▶ ControlChannel ──GET /sdk-config──▶ collector
///                                                                  │
///                                             observers of sections ◀── document ──▶ cache
///
/// A part of the SDK that lets itself be told something observes its section (``observe(_:_:)``) or registers a command
/// (``register(_:changesSomething:_:)``); it never talks to a collector itself. Everything happens on the channel's own
/// queue; callers never wait. See `Documentation/Control.md`.
package final class ControlChannel: @unchecked Sendable {
  // Unchecked: what changes is in `state`, which is used on `queue` only, and in `published`, which has a lock.

  struct State {
    var endpoint: DeliveryEndpoint?
    var document: ControlDocument?
    /// As it came: whatever becomes of the file, it is kept again when the collector confirms it.
    var json: Data?
    /// The entity tag of the document.
    var tag: String?
    var channel = ChannelSection()
    var observers: [Observer] = []
    /// The cache has been read; before, nobody is told anything.
    var isLoaded = false
    var isStopped = false
    /// The app wants nobody to be asked for now.
    var isPaused = false
    var isFetching = false
    /// A tag that was named while a request was under way.
    var nextTag: String?
    /// What that request brings will be too old.
    var isFetchedAgain = false
    /// When the last request was sent, on the clock that never goes back.
    var fetchedAt: Int64?
    /// Until when the collector wants to be left alone, on the same clock; nil: not at all.
    var quietUntil: Int64?
    /// Grows with everything that is planned, so that what was planned before knows itself outdated.
    var plan: UInt64 = 0
    /// When that is due, on the same clock.
    var planDue: Int64?
    /// The tag for whose sake the last request was sent.
    var wantedTag: String?
    /// A tag that answers name, and that fetching does not lead to.
    var fruitlessTag: String?
    /// Whoever answers is one of our collectors.
    var isCollector = false
    var loop: CommandLoop?
    /// Who asks, where something is kept that a collector may ask for; nil: nothing is.
    var asker: (@Sendable () -> String)?
    /// For how many seconds the collector holds a question for news; nil: it does not.
    var listenSeconds: Int?
    /// Somebody will look whether it does.
    var seeksOffer = false
    /// How often somebody has, since a question was held.
    var offersSought = 0
    /// Low Power Mode.
    var power: NotificationObservations?
    #if canImport(UIKit) && !os(watchOS)
    var isInForeground = false
    #else
    // Nobody tells here when an app comes to the foreground: it is there.
    var isInForeground = true
    #endif
    /// Records in words what was commanded.
    var onCommand: (@Sendable (String) -> Void)?
    var status = ControlStatus()
  }

  struct Observer {
    var section: String
    /// Throws when the section is not valid.
    var update: @Sendable (MetadataValue?) throws -> Void
  }

  let options: ControlOptions
  let transport: any RequestTransport
  let clock: DeliveryClock
  let queue = BackgroundQueue.make("control")
  package let commands: CommandRegistry
  let pollTransport: any RequestTransport
  var state: State
  private let published = Locked(ControlStatus())

  /// - Parameter pollTransport: for questions for commands, which are held open: others must not wait behind them.
  init(
    options: ControlOptions, transport: any RequestTransport, pollTransport: any RequestTransport,
    clock: DeliveryClock = .system
  ) {
    self.options = options
    self.transport = transport
    self.pollTransport = pollTransport
    self.clock = clock
    commands = CommandRegistry(access: options.commands)
    state = State(endpoint: options.endpoint)
    state.observers = [
      Self.observer(of: RecordingSection.self) { [weak self] in self?.state.status.isRecordingAllowed = $0.isEnabled },
      Self.observer(of: SamplingSection.self) { [weak self] in self?.state.status.sessionRate = $0.sessionRate },
      Self.observer(of: ChannelSection.self) { [weak self] in self?.state.channel = $0 },
    ]
  }

  deinit {
    transport.cancelAll()
    pollTransport.cancelAll()
  }

  // MARK: For the SDK's parts

  /// Recording was switched off when the last document was kept. Asks the file system once, and reads nothing.
  var wasSwitchedOff: Bool { options.cache.isMarkedOff }

  /// Has a closure told what its section says: once as soon as the cache has been read, with the section's default when
  /// there is no document, and then whenever it changes. A section that is not valid changes nothing, and is told in the
  /// diagnostics. Called on the channel's queue.
  package func observe<Section: ControlSection>(
    _ type: Section.Type, _ body: @escaping @Sendable (Section) -> Void
  ) {
    queue.async { [self] in
      let observer = Self.observer(of: type, body)
      state.observers.append(observer)
      if state.isLoaded { tell([observer]) }
    }
  }

  /// Has a command answered by a closure; see ``CommandRegistry/register(_:changesSomething:_:)``.
  package func register(_ name: String, changesSomething: Bool, _ handler: @escaping CommandRegistry.Handler) {
    commands.register(name, changesSomething: changesSomething, handler)
  }

  /// How the channel stands. Any thread.
  package var status: ControlStatus { published.withLock { $0 } }

  // MARK: For the runtime

  /// Reads the cache, tells the observers, and asks the collector if that is due. Returns at once.
  func start() {
    queue.async { [self] in
      guard !state.isStopped, !state.isLoaded else { return }
      load()
      fetch(because: .start)
    }
  }

  /// Has every command told to a closure, in words. Called on the channel's queue.
  func onCommand(_ body: @escaping @Sendable (String) -> Void) { queue.async { [self] in state.onCommand = body } }

  func cameToForeground() { setForeground(true) }

  func wentToBackground() { setForeground(false) }

  private func setForeground(_ isInForeground: Bool) {
    queue.async { [self] in
      state.isInForeground = isInForeground
      if isInForeground { fetch(because: .foreground) }
      updateCommandLoop()
    }
  }

  /// What is recorded is kept here, or not any more (nil). On the queue.
  ///
  /// - Parameter asker: says of whom that is, for each question: see ``SdkContext/asker``.
  func setAsker(_ asker: (@Sendable () -> String)?) {
    // Nobody has told the collector, nor it whether it holds questions: those answers went to an app that keeps nothing.
    let isUnheard = state.asker == nil && asker != nil && state.fetchedAt != nil
    state.asker = asker
    followPower()
    updateCommandLoop()
    // Later: it is a document that said so, and not all of that has been taken over.
    if isUnheard { queue.async { [weak self] in self?.fetchAgain(because: .poll) } }
  }

  /// An answer to a delivery: it names the current document, or asks for a pause. Any thread.
  func note(_ answer: HTTPAnswer, from endpoint: DeliveryEndpoint) {
    let tag = Self.tag(answer[header: Self.header])
    guard tag != nil || answer[header: "retry-after"] != nil else { return }
    queue.async { [self] in
      obey(answer)
      guard let tag else { return }
      if state.endpoint == nil { state.endpoint = endpoint }
      noteTag(tag)
    }
  }

  /// Asks nobody anything, or goes on. Questions that are under way are given up.
  func setPaused(_ isPaused: Bool) {
    queue.async { [self] in
      guard state.isPaused != isPaused, !state.isStopped else { return }
      state.isPaused = isPaused
      followPower()
      updateCommandLoop()
      if isPaused {
        // A request that is given up counts as none.
        if state.isFetching { state.fetchedAt = nil }
        transport.cancelAll()
        pollTransport.cancelAll()
      } else {
        // What was planned has come and gone; what was given up may not have ended yet.
        fetchAgain(because: isOff ? .poll : .foreground)
      }
    }
  }

  /// Nothing is asked for any more.
  func stop() {
    queue.async { [self] in
      state.isStopped = true
      state.observers = []
      state.onCommand = nil
      state.power = nil
      state.loop?.stop()
      state.loop = nil
      transport.cancelAll()
      pollTransport.cancelAll()
    }
  }

  // MARK: On the queue

  /// In the answers to deliveries: the tag of the current document.
  static let header = "x-automobile-config"

  /// What a header names, without the decoration of entity tags; nil when it cannot be a tag.
  static func tag(_ text: String?) -> String? {
    guard var text = text?.trimmingCharacters(in: .whitespaces) else { return nil }
    if text.hasPrefix("W/") { text.removeFirst(2) }
    text = text.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 })
    else { return nil }
    return text
  }

  func publish() { published.withLock { $0 = state.status } }

  func note(_ kind: ControlStatus.Entry.Kind, _ message: String) {
    state.status.note(kind, message, at: clock.wall())
    publish()
  }

  func noteTag(_ tag: String) {
    if !state.isCollector {
      state.isCollector = true
      updateCommandLoop()
    }
    if tag != state.tag { fetch(because: .named(tag)) }
  }

  /// Tells observers what their sections say now. Of several that find the same fault in a section one is heard.
  func tell(_ observers: [Observer]) {
    var problems: [String] = []
    for observer in observers {
      do {
        try observer.update(state.document?.sections[observer.section])
      } catch let refusals as ControlRefusals {
        problems += refusals.messages.filter { !problems.contains($0) }
      } catch {
        if !problems.contains("\(error)") { problems.append("\(error)") }
      }
    }
    for problem in problems { note(.refused, problem) }
    publish()
  }

  private static func observer<Section: ControlSection>(
    of type: Section.Type, _ body: @escaping @Sendable (Section) -> Void
  ) -> Observer {
    let last = Locked<Section?>(nil)
    return Observer(section: Section.name) { value in
      let section: Section
      let problem: (any Error)?
      do {
        section = try value.map { try Section(ControlValue(Section.name, $0)) } ?? Section()
        problem = nil
      } catch {
        // What held before holds on; at the beginning, the default.
        section = last.withLock { $0 } ?? Section()
        problem = error
      }
      let isNew = last.withLock { last in
        defer { last = section }
        return last != section
      }
      if isNew { body(section) }
      if let problem { throw problem }
      if isNew, !section.refused.isEmpty { throw ControlRefusals(section.refused) }
    }
  }
}
