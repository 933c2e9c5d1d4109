import AutoMobileState
import Foundation

/// The one connection that stays: it hears the news, and has the locks of ``StateHold``. On a thread of its own.
///
/// When it is lost so are the locks, which the server gives to others at once; after it was made anew everything is news. Whoever is
/// cut off without a word finds that out after ``silence``, and by then does not count as holding anything. The server waits longer
/// than that (``settings``) before it gives the locks to others; one older than version 14 waits as long as its TCP does, and one
/// that takes the place of another does not know of them: then two may have the same work for ``silence``.
///
/// Unchecked: what changes is read and written with the lock held, but for what says that it is the thread's.
final class PostgresSession: @unchecked Sendable {
  /// The server is asked for a sign of life.
  private static let beat = Duration.seconds(3)
  /// It has so long to answer.
  private static let answer = Duration.seconds(5)
  /// Since the last sign of life.
  static let silence = beat + answer + .seconds(2)
  /// A connection that was there for so long was a good one: the next one is made at once when it is lost.
  private static let good = Duration.seconds(10)
  /// `silence`, and some.
  private static let settings =
    "SELECT set_config(name, '20000', false) FROM pg_settings WHERE name = 'idle_session_timeout'"

  private let address: PostgresAddress
  private let options: PostgresOptions
  private let listeners: StateListeners
  private let pipe: PostgresWakePipe
  let holds: PostgresHolds

  private let lock = NSCondition()
  private var problem: StateError?
  private var place: PostgresPlace?
  private var isConnected = false
  private var heardAnswers: Set<String> = []
  private var isClosing = false
  private var isOver = false

  /// - Throws: ``StateError`` when it cannot be made in time.
  init(_ address: PostgresAddress, _ options: PostgresOptions, _ listeners: StateListeners) throws {
    (self.address, self.options, self.listeners) = (address, options, listeners)
    let pipe = try PostgresWakePipe()
    self.pipe = pipe
    holds = PostgresHolds(wake: { pipe.wake() })
    startThread("postgres session") { [self] in run() }
  }

  /// Waits for the first connection, on this thread.
  ///
  /// - Throws: ``StateError`` when it cannot be made in time.
  func start() throws -> PostgresPlace {
    let patience = options.opening ?? options.patience
    let deadline = Date(timeIntervalSinceNow: Double(patience.milliseconds) / 1000)
    lock.lock()
    defer { lock.unlock() }
    while place == nil, !isOver, lock.wait(until: deadline) {}
    if let place { return place }
    throw problem ?? StateError(.unavailable, "PostgreSQL at \(address.place) does not answer")
  }

  /// Whether it is there now.
  ///
  /// - Throws: ``StateError``
  func check() throws {
    try lock.withLock {
      if !isConnected {
        throw problem
          ?? StateError(.unavailable, "PostgreSQL at \(address.place) does not answer: nothing of its news is heard")
      }
    }
  }

  /// Waits until a question that was told to all has come back.
  ///
  /// - Returns: false when it has not come in time.
  func hears(_ question: String, within time: Duration) -> Bool {
    let deadline = Date(timeIntervalSinceNow: Double(time.milliseconds) / 1000)
    lock.lock()
    defer { lock.unlock() }
    while !heardAnswers.contains(question), lock.wait(until: deadline) {}
    return heardAnswers.remove(question) != nil
  }

  /// Gives up what is held. Waits until the server was told, but not for long.
  func close() {
    holds.close()
    lock.lock()
    isClosing = true
    pipe.wake()
    let deadline = Date(timeIntervalSinceNow: 2)
    while !isOver, lock.wait(until: deadline) {}
    lock.unlock()
  }

  // MARK: The thread

  private func run() {
    var losses = 0
    while !lock.withLock({ isClosing }) {
      var began: ContinuousClock.Instant?
      do {
        try listen { began = .now }
      } catch {
        let failure = error as? PostgresFailure
        let problem = failure?.error ?? error as? StateError ?? StateError(.engine, "\(error)")
        lost(problem)
        // The first time it is for the one who waits in `start()` to say what is wrong.
        if failure?.course == .final, lock.withLock({ place == nil }) { break }
        if let began, .now - began >= Self.good { losses = 0 }
        losses += 1
        rest(losses)
        holds.fail(problem)
      }
    }
    lost(StateError(.unavailable, "the state was closed"))
    lock.withLock {
      isOver = true
      lock.broadcast()
    }
  }

  /// Before the next connection is made. Who asks for a work meanwhile does not end it.
  private func rest(_ losses: Int) {
    guard losses > 1 else { return }
    let pause = Duration.seconds(min(0.05 * Double(1 << min(losses, 8)), 2) * .random(in: 0.5...1))
    let end = ContinuousClock.now + pause
    while .now < end, !lock.withLock({ isClosing }) { pipe.wait(end - .now) }
  }

  private func lost(_ problem: StateError) {
    holds.lose()
    lock.withLock {
      isConnected = false
      self.problem = self.problem ?? problem
      lock.broadcast()
    }
  }

  /// Until the connection is lost, or all is over.
  private func listen(_ isThere: () -> Void) throws {
    let connection = try PostgresConnection(address, options, settings: Self.settings)
    defer { connection.close() }
    let place = try PostgresPlace(of: connection, address)
    try connection.query("LISTEN \(place.channel)", for: Self.answer)
    isThere()
    holds.heard()
    let isAgain = lock.withLock {
      defer {
        (self.place, isConnected, problem) = (place, true, nil)
        lock.broadcast()
      }
      return self.place != nil
    }
    if isAgain { listeners.tell(.everything) }
    var lastAsked = ContinuousClock.now
    while !lock.withLock({ isClosing }) {
      try settle(connection, place)
      hear(connection)
      if .now - lastAsked >= Self.beat {
        lastAsked = .now
        try refusal { try connection.query("SELECT 1", for: Self.answer) }
        holds.heard()
        hear(connection)
      }
      let next = min(lastAsked + Self.beat, holds.nextTry ?? .now + Self.beat)
      pipe.wait(max(.zero, next - .now), besides: connection.socket)
      connection.look()
      if connection.isLost { throw PostgresFailure.lost(address, "the connection was closed") }
    }
  }

  private func settle(_ connection: PostgresConnection, _ place: PostgresPlace) throws {
    let (given, requests) = holds.due()
    var left = requests[...]
    // What is not answered is asked again on another connection.
    defer { for request in left { holds.putBack(request) } }
    for work in given {
      let refused = try refusal {
        try connection.query("SELECT pg_advisory_unlock($1)", [place.key(of: work)], for: Self.answer)
      }
      if refused != nil { holds.giveLater(work) }
    }
    while let request = left.first {
      var isFree = false
      let refused = try refusal {
        // The server would give a lock that it has given to this connection once more.
        isFree =
          try !holds.has(request.work)
          && connection.query("SELECT pg_try_advisory_lock($1)", [place.key(of: request.work)], for: Self.answer)
            .rows.first?[0] == true
      }
      left.removeFirst()
      if let refused {
        request.answer(.failure(refused.error))
      } else if isFree {
        holds.got(request)
      } else {
        holds.missed(request)
      }
    }
  }

  /// - Returns: what the server refused it with: it is there, and so is all that is held.
  /// - Throws: ``PostgresFailure`` when the connection is lost.
  @discardableResult
  private func refusal(_ question: () throws -> Void) throws -> PostgresFailure? {
    do {
      try question()
      return nil
    } catch let failure as PostgresFailure where failure.course != .lost {
      return failure
    }
  }

  private func hear(_ connection: PostgresConnection) {
    for payload in connection.notifications() {
      if payload.hasPrefix(PostgresNews.question) {
        lock.withLock {
          // Of those of others there is no need to keep any.
          if heardAnswers.count > 100 { heardAnswers = [] }
          heardAnswers.insert(payload)
          lock.broadcast()
        }
      } else if let news = PostgresNews.news(payload) {
        listeners.tell(news)
      }
    }
  }
}
