import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Brings what is in the journal to a receiver: what earlier launches left first, then what this one records.
///
/// One request at a time, on a queue of its own. Nothing is acknowledged in the journal before the receiver has it, and
/// nothing is dropped because it cannot be reached. Callers never wait: ``wake()`` only leaves a mark.
///
///     recorder ──▶ Journal ──read──▶ DeliveryWorker ──POST──▶ receiver
///                     ▲                    │
///                     └──── acknowledge ───┘
final class DeliveryWorker: @unchecked Sendable {
  // Unchecked: what changes is in `state`, which is used on `queue` only, and in `published`, which has a lock.

  struct State {
    var receiver: Receiver?
    var size: BatchSize
    var pause: DeliveryPause
    var pace: UploadPace
    /// Nothing is sent before this moment of the clock, unless somebody thinks that it is worth a try.
    var resumeAt: Int64 = .min
    /// The receiver asked for that (Retry-After): nobody shortens it.
    var quietUntil: Int64 = .min
    /// When somebody will look whether the next delivery may begin.
    var roundTimer: Int64?
    /// A request is under way, or a receiver is looked for.
    var isBusy = false
    /// Nothing is to be sent for now, whatever there is, as long as anybody says so.
    var holds: DeliveryHolds = []
    var isStopping = false
    var isStopped = false
    var onStopped: [@Sendable () -> Void] = []
    /// Wait until no request is under way.
    var onIdle: [@Sendable () -> Void] = []
    /// How many are under way.
    var erasures = 0
    /// Who waits until everything that can be delivered now has been.
    var onSettled: [@Sendable () -> Void] = []
    /// Contexts of the launch that is being delivered.
    var contexts: LaunchContexts
    /// Launches before this one that may have something to deliver, oldest first.
    var earlier: [LaunchID] = []
    /// When to look for more of them.
    var earlierExpire: Int64 = .min
    /// The last pause before what somebody else has left was looked at again, in milliseconds.
    var takeOverPause: Int64 = 0
    /// How often a launch's final ledger was refused.
    var refusedLedgers: [LaunchID: Int] = [:]
    /// How many batches of this launch may still go before what earlier launches left.
    var ownFirst = 0
    /// Called when they have gone, or cannot go now.
    var onOwnFirst: (@Sendable () -> Void)?
    /// Events set aside one after the other, with nothing taken in between.
    var setAsideInARow = 0
    /// Whom a collector may ask for here, where something is kept: see ``SdkContext/asker``.
    var asker: (@Sendable () -> String)?
    var status = DeliveryStatus()
  }

  let journal: Journal
  let options: DeliveryOptions
  let transport: any RequestTransport
  /// Called before anything of launches that have just been found is delivered. It may take its time.
  let beforeEarlier: @Sendable () -> Void
  let clock: DeliveryClock
  let queue = BackgroundQueue.make("delivery")
  var state: State
  private let published: Locked<DeliveryStatus>
  private let mark: any DispatchSourceUserDataAdd

  init(
    journal: Journal, options: DeliveryOptions, transport: any RequestTransport = URLSessionTransport(),
    beforeEarlier: @escaping @Sendable () -> Void = {}, clock: DeliveryClock = .system
  ) {
    self.journal = journal
    self.options = options
    self.transport = transport
    self.beforeEarlier = beforeEarlier
    self.clock = clock
    state = State(
      size: BatchSize(maximum: options.maximumRecords), pause: DeliveryPause(policy: options.policy),
      pace: UploadPace(options.pace), contexts: LaunchContexts(launch: journal.launch))
    state.holds = options.holds
    if case .endpoint(let endpoint) = options.destination { state.receiver = Receiver(endpoint) }
    state.status.endpoint = state.receiver?.endpoint.events
    published = Locked(state.status)
    mark = DispatchSource.makeUserDataAddSource(queue: queue)
    mark.setEventHandler { [weak self] in OwnWork.run { self?.pump() } }
    mark.activate()
  }

  deinit {
    mark.cancel()
    transport.cancelAll()
  }

  /// There may be something to deliver. Any thread; neither waits nor allocates.
  func wake() { mark.add(data: 1) }

  /// Forgets a wait that was meant for a receiver out of reach, because the network or the app has just come back. A wait that
  /// the receiver has asked for goes on.
  func retryNow() {
    queue.async { [self] in
      guard !state.isStopped else { return }
      state.resumeAt = .min
      options.keeper?.tryNetworksAgain()
      pump()
    }
  }

  /// Delivers what has been recorded until now without waiting for the interval, or for a receiver that was out of reach. The
  /// hour's limits hold, and so does a wait that the receiver has asked for.
  ///
  /// - Parameter completion: called once, on the worker's queue, when what can be delivered now has been. A retry is waited for when
  ///   it comes within seconds.
  func deliverNow(completion: (@Sendable () -> Void)? = nil) {
    queue.async { [self] in
      guard !state.isStopped else { completion?(); return }
      if let completion { state.onSettled.append(completion) }
      options.keeper?.tellSessions()
      state.pace.hurry(end: journal.end)
      state.resumeAt = .min
      pump()
    }
  }

  /// Sends nothing until whoever said so says otherwise.
  ///
  /// - Parameter isUrgent: a request that is under way is given up. What the receiver has taken of it is sent again, under the
  ///   same name.
  func setHeld(_ isHeld: Bool, by hold: DeliveryHolds, isUrgent: Bool = false) {
    queue.async { [self] in
      if isHeld { state.holds.insert(hold) } else { state.holds.remove(hold) }
      if isHeld, isUrgent { transport.cancelAll() }
      if isHeld, hold != .crashAtLaunch { endOwnFirst(isSent: false) }
      pump()
    }
  }

  /// Gives up what is under way, and calls back on the worker's queue when its answer, if there was one, has been heard. Nothing is
  /// sent from then on, until ``endErasure()``.
  func beginErasure(completion: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      state.erasures += 1
      state.holds.insert(.erasure)
      endOwnFirst(isSent: false)
      options.keeper?.forget()
      state.contexts = LaunchContexts(launch: journal.launch)
      state.earlierExpire = .min
      guard state.isBusy else { return completion() }
      state.onIdle.append(completion)
      transport.cancelAll()
    }
  }

  func endErasure() {
    queue.async { [self] in
      state.erasures -= 1
      // What is known of earlier launches is gone with them.
      state.earlier = []
      options.keeper?.forget()
      if state.erasures == 0 { state.holds.remove(.erasure) }
      pump()
    }
  }

  /// How delivery stands. Any thread.
  var status: DeliveryStatus { published.withLock { $0 } }

  /// Delivers what can be delivered within some milliseconds, and then nothing more. Returns at once.
  ///
  /// - Parameter completion: called on the worker's queue when it is over.
  func stop(within milliseconds: Int64, completion: (@Sendable () -> Void)? = nil) {
    queue.async { [self] in
      guard !state.isStopped else { completion?(); return }
      if let completion { state.onStopped.append(completion) }
      guard !state.isStopping else { return }
      state.isStopping = true
      options.keeper?.tellSessions()
      // One more try, whatever the wait; but for one that the receiver has asked for.
      state.resumeAt = .min
      // Whoever is to send nothing has nothing to wait for.
      guard state.holds.isDisjoint(with: [.app, .consent]) else { return finishStopping() }
      clock.after(max(0, milliseconds), queue) { [weak self] in self?.finishStopping() }
      pump()
    }
  }

  // MARK: On the queue

  /// Sends the next batch, if there is one and it is time.
  func pump() {
    guard !state.isBusy, !state.isStopped else { return }
    if !leavesNews { decide() }
    sendNext()
    if !state.isBusy, clock.now() >= state.resumeAt { settled() }
  }

  private func sendNext() {
    guard state.holds.isEmpty else { return }
    guard clock.now() >= state.quietUntil else {
      endOwnFirst(isSent: false)
      return state.isStopping ? finishStopping() : ()
    }
    guard clock.now() >= state.resumeAt else { return endOwnFirst(isSent: false) }
    guard options.maySend() else {
      endOwnFirst(isSent: false)
      return state.isStopping ? finishStopping() : ()
    }
    guard state.receiver != nil else { return findReceiver() }
    state.receiver?.recall(options.memory)
    // What goes first goes now, and the end of that is told by looking for more.
    if !state.isStopping, state.ownFirst == 0, state.onOwnFirst == nil,
      let milliseconds = state.pace.wait(now: clock.now())
    {
      return waitForRound(milliseconds)
    }
    let end = journal.end
    if let batch = nextBatch() { return send(batch) }
    // Whoever recorded what is left has woken this worker while it was busy.
    if state.pace.leavesNews { wake() }
    state.pace.ranDry(end: end)
    if state.isStopping { finishStopping() }
    publish()
  }

  /// Waits, and then goes on by itself.
  func wait(milliseconds: Int64, for reason: DeliveryStatus.Wait = .trouble) {
    endOwnFirst(isSent: false)
    // While stopping there is no later.
    if state.isStopping { return finishStopping() }
    let milliseconds = max(1, milliseconds)
    let (resumeAt, overflow) = clock.now().addingReportingOverflow(milliseconds)
    state.resumeAt = overflow ? .max : resumeAt
    tellWait(milliseconds, clock.now() < state.quietUntil ? .receiver : reason)
    clock.after(milliseconds, queue) { [weak self] in self?.pump() }
    if reason != .trouble || milliseconds > Self.longestBriefWait { settled() }
  }

  /// Whoever waits for what can be delivered now waits for a retry that comes within so many milliseconds.
  private static let longestBriefWait: Int64 = 5000

  /// Has somebody look when the next delivery may begin, if there is something to deliver.
  private func waitForRound(_ milliseconds: Int64) {
    defer { publish() }
    let (due, overflow) = clock.now().addingReportingOverflow(milliseconds)
    guard !overflow, state.pace.hasNews(end: journal.end) else { return }
    tellWait(milliseconds, .interval)
    guard state.roundTimer != due else { return }
    state.roundTimer = due
    clock.after(milliseconds, queue) { [weak self] in
      self?.state.roundTimer = nil
      self?.pump()
    }
  }

  private func tellWait(_ milliseconds: Int64, _ reason: DeliveryStatus.Wait) {
    state.status.nextAttempt = clock.wall().addingReportingOverflow(milliseconds).partialValue
    state.status.waitsFor = reason
    publish()
  }

  private func settled() {
    let callbacks = state.onSettled
    state.onSettled = []
    callbacks.forEach { $0() }
  }

  func publish() {
    state.status.endpoint = state.receiver?.endpoint.events
    state.status.format = state.receiver?.format.rawValue
    published.withLock { $0 = state.status }
  }

  func finishStopping() {
    guard !state.isStopped else { return }
    state.isStopped = true
    endOwnFirst(isSent: false)
    tellGoingOn()
    publish()
    transport.cancelAll()
    settled()
    let callbacks = state.onStopped
    state.onStopped = []
    callbacks.forEach { $0() }
  }

  private func tellGoingOn() {
    state.status.nextAttempt = nil
    state.status.waitsFor = nil
  }

  private func send(_ batch: DeliveryBatch) {
    guard let receiver = state.receiver else { return }
    var headers = ["Content-Type": batch.format.contentType, "Accept": "application/json"]
    headers["User-Agent"] = options.sender.sdkVersion.map { "AutoMobileSDK/\($0)" }
    if let key = receiver.endpoint.apiKey { headers["Authorization"] = "Bearer \(key)" }
    // The answer names the document of whoever that is, also when the collector has forgotten.
    headers[ListeningQuestion.askerHeader] = state.asker?()
    var body = batch.body
    var used: BodyCompression?
    if let threshold = options.compressionThreshold, batch.format == .journal, let coding = receiver.compression,
      // With a dictionary, short bodies get shorter as well.
      body.count > (coding == .deflate ? threshold / 8 : threshold),
      // Where little is sent, a little more work for it is worth it.
      let compressed = body.withUnsafeBytes({ coding.compress($0, level: batch.priority == nil ? 6 : 9) })
    {
      body = compressed
      headers["Content-Encoding"] = coding.rawValue
      used = coding
    }
    if let milliseconds = state.pace.wait(for: body.count, now: clock.now()) {
      return wait(milliseconds: milliseconds, for: .hourlyLimit)
    }
    state.pace.sends(body.count, end: journal.end, now: clock.now())
    if let chunk = batch.chunk, let priority = batch.priority {
      options.keeper?.goes(chunk, priority: priority, to: batch.to)
    }
    state.isBusy = true
    tellGoingOn()
    state.status.requests &+= 1
    state.status.bytesSent &+= UInt64(body.count)
    publish()
    var request = HTTPRequest(
      url: receiver.endpoint.events, headers: headers, body: Data(body), timeouts: receiver.endpoint.timeouts)
    request.allowsExpensive = mayCost(batch)
    transport.send(request) { [self, used, size = body.count] answer in
      queue.async { [self] in
        state.isBusy = false
        defer { becomeIdle() }
        noteCost(of: batch, size, answer)
        options.onAnswer?(answer, receiver.endpoint)
        // What was cancelled at the end may have been taken; the next launch sends it again, under the same name.
        guard !state.isStopped else { return }
        settle(batch, answer, used)
      }
    }
  }

  func becomeIdle() {
    // The next request may be under way already; what was waited for is over.
    let callbacks = state.onIdle
    state.onIdle = []
    callbacks.forEach { $0() }
  }
}
