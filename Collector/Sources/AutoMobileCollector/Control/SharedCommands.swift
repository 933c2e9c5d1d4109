import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// The ``CommandBoard`` of collectors that share a state: an app may ask at one of them, answer at another, and be given a command at a
/// third.
///
///     POST /api/commands ──▶ a row ──news──▶ whoever holds the app's question ──▶ the app
///            ▲                                                                     │
///            └──news── the answer in the row ◀── whichever collector it comes to ◀─┘
///
/// What is held open is held here; who listens and what was said is in the state. Rows are removed when they are answered; what a
/// collector leaves that was killed ends by the state's clock.
final class SharedCommands: CommandBoard {
  struct Question: Sendable {
    var id: UInt64
    /// In the state, where others have theirs.
    var name: String
    var hasNews: @Sendable () -> Bool
    var bell: AsyncStream<Void>.Continuation
    var hasLeft = false
  }

  struct Contents: Sendable {
    var questions: [Address: Question] = [:]
    /// Apps that have a place here, until when: in milliseconds since 1970, by this machine.
    var places: [Address: Int64] = [:]
    /// Those who wait for an answer, by the command.
    var waiting: [String: AsyncStream<Void>.Continuation] = [:]
    var lastQuestion: UInt64 = 0
    var isStopped = false

    mutating func hasRoom(for launch: Address) -> Bool {
      let now = WallClock.now
      places = places.filter { $0.value > now || questions[$0.key] != nil }
      return places[launch] != nil
        || places.count < CommandExchange.maximumListeners
          && places.keys.count { $0.owner == launch.owner } < CommandExchange.maximumListenersOfApp
    }
  }

  let state: any StateStore
  /// An app is there until it has not asked for this long, in milliseconds: between two questions it works.
  let grace: Int64
  let contents = NIOLockedValueBox(Contents())
  private let tasks = NIOLockedValueBox<[Task<Void, Never>]>([])

  /// When the state does not answer, it is asked again, at first so soon.
  static let pauses = (first: Duration.milliseconds(500), longest: Duration.seconds(8))

  /// - Parameter tidying: so often is looked for what others have left.
  init(_ state: any StateStore, grace: Int64 = 10_000, tidying: Duration = .seconds(30)) {
    (self.state, self.grace) = (state, grace)
    let news = state.news(of: [.commands, .answers])
    let hearing = Task { [weak self] in
      for await told in news { self?.hear(told) }
    }
    let tidier = Task { [weak self] in
      while (try? await Task.sleep(for: tidying)) != nil, let self { await tidy() }
    }
    tasks.withLockedValue { $0 = [hearing, tidier] }
  }

  deinit { for task in tasks.withLockedValue({ $0 }) { task.cancel() } }

  func finish() {
    let (questions, waiting) = contents.withLockedValue { contents in
      contents.isStopped = true
      return (Array(contents.questions.values), Array(contents.waiting.values))
    }
    for question in questions { question.bell.finish() }
    for bell in waiting { bell.finish() }
    for task in tasks.withLockedValue({ $0 }) { task.cancel() }
  }

  // MARK: News

  private func hear(_ news: StateNews) {
    let bells = contents.withLockedValue { contents -> [AsyncStream<Void>.Continuation] in
      // Of everything that may have been missed, and of a name that was too long to be told.
      let isAny = news.detail.isEmpty
      var bells: [AsyncStream<Void>.Continuation] = []
      if news.subject != .answers {
        bells += contents.questions.filter { isAny || $0.key.launch == news.detail }.map(\.value.bell)
      }
      if news.subject != .commands {
        bells += isAny ? Array(contents.waiting.values) : [contents.waiting[news.detail]].compactMap(\.self)
      }
      return bells
    }
    for bell in bells { bell.yield() }
  }

  func wake() {
    let open = contents.withLockedValue { Array($0.questions.values) }
    // Looking for news may take a while, and is not done under the lock.
    for question in open where question.hasNews() { question.bell.finish() }
  }

  private func tidy() async {
    // Another time will do.
    guard (try? await state.read({ try CommandRows.hasOld(in: $0) })) == true else { return }
    try? await state.write { try CommandRows.removeOld(in: $0) }
  }

  /// A bell that keeps one ring for whoever is not at it.
  static func bell() -> (rings: AsyncStream<Void>, bell: AsyncStream<Void>.Continuation) {
    let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    return (rings, bell)
  }
}
