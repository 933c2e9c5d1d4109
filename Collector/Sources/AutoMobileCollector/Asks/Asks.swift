import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// What somebody wants to see of what devices keep: kept in the state, told to the apps that it concerns, and followed until it came.
///
///     POST /api/asks ──▶ Asks ──▶ an app's configuration, of those whom it concerns ──▶ what is kept there
///                         ▲                                                               │
///                         └──────────────── events that arrive ◀──────────────────────────┘
///
/// Of several collectors each one tells the apps that come to it, and one follows what became of asks.
final class Asks: Sendable {
  struct State: Sendable {
    /// All that stand, by app.
    var open: [String: [OpenAsk]] = [:]
    /// Told first since the thread looked last, and when.
    var told: [Int64: Int64] = [:]
  }

  /// What arrives.
  let reading: any AskReading
  /// What is asked for.
  let rows: any StateStore
  let configuration: ConfigurationStore
  let logger: Logger
  let now: @Sendable () -> Int64
  /// The apps that are projects.
  let projects: @Sendable () -> Set<String>
  /// Events that are looked at in one go.
  let stride: Int
  let state: NIOLockedValueBox<State>
  let documents = AskDocuments()
  /// Looks every half minute: asks end.
  let worker = BackgroundWorker(every: 30)
  /// When it was looked last for what ends.
  let sweptAt = NIOLockedValueBox<Int64>(.min / 2)
  /// One of several collectors follows.
  let following: WorkTurn
  private let hearing = NIOLockedValueBox<Task<Void, Never>?>(nil)
  private let onChange = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  /// - Parameters:
  ///   - rows: by default where the index is.
  ///   - reading: what arrives; by default in the index.
  /// - Throws: what the database says.
  init(
    store: EventStore, rows: (any StateStore)? = nil, reading: (any AskReading)? = nil,
    configuration: ConfigurationStore, logger: Logger,
    now: @escaping @Sendable () -> Int64 = { WallClock.now }, projects: @escaping @Sendable () -> Set<String> = { [] },
    stride: Int = 5000
  ) throws {
    (self.configuration, self.logger, self.now) = (configuration, logger, now)
    (self.projects, self.stride) = (projects, stride)
    self.rows = rows ?? store.state
    self.reading = reading ?? SQLiteAsks(store: store)
    following = WorkTurn(StateWork("asks"), in: self.rows)
    // First, so that nothing falls between reading and hearing.
    let news = self.rows.news(of: [.asks])
    // The thread looks for the devices: that may take a while, and deliveries do not wait for it.
    let open = try self.rows.readNow { try AskTables.open(in: $0) }.map { OpenAsk(ask: $0) }
    state = NIOLockedValueBox(State(open: Dictionary(grouping: open, by: \.ask.bundle)))
    worker.start("asks") { [self] in work() }
    let task = Task { [weak self] in
      for await _ in news { await self?.hear() }
    }
    hearing.withLockedValue { $0 = task }
  }

  /// Ends the thread.
  func stop() {
    hearing.withLockedValue { $0 }?.cancel()
    worker.stop()
    following.end()
  }

  /// Called after each change of what apps are told.
  func onChange(_ body: @escaping @Sendable () -> Void) { onChange.withLockedValue { $0 = body } }

  func changed() { onChange.withLockedValue { $0 }?() }

  // MARK: What apps are told

  /// What holds for an app that asks: its document, and what is asked of it.
  ///
  /// - Parameter asker: who it says it is; nil: an app that keeps nothing, and is asked for nothing.
  func effective(of app: DeliveringApp, asker: Asker?) -> (document: ConfigurationStore.Effective, told: [Int64]) {
    let base = configuration.effective(of: app.bundleId)
    guard let asker, let bundle = app.bundleId else { return (base, []) }
    return documents.document(naming: concerning(asker, bundle), base: base, issuer: configuration.issuer)
  }

  /// The name of what holds for an app that asks or delivers. An asker says each time who it is: nothing is remembered that
  /// a restart could lose, or other launches push out.
  func tag(of app: DeliveringApp, asker: Asker?) -> String {
    guard let asker, let bundle = app.bundleId else { return configuration.tag(of: app.bundleId) }
    return documents.document(
      naming: concerning(asker, bundle), base: configuration.effective(of: bundle), issuer: configuration.issuer
    ).document.tag
  }

  /// An app has taken what names these.
  func noteTold(_ ids: [Int64]) {
    guard !ids.isEmpty else { return }
    let at = now()
    let isNews = state.withLockedValue { state -> Bool in
      var isNews = false
      for (bundle, asks) in state.open {
        for (index, open) in asks.enumerated() where open.ask.toldAt == nil && ids.contains(open.ask.id) {
          state.open[bundle]?[index].ask.toldAt = at
          state.told[open.ask.id] = at
          isNews = true
        }
      }
      return isNews
    }
    if isNews { worker.wake() }
  }

  /// The newest of those that concern an app, in the order in which they were asked.
  private func concerning(_ asker: Asker, _ bundle: String) -> [Ask] {
    state.withLockedValue { state in
      Array((state.open[bundle] ?? []).filter { $0.concerns(asker) }.map(\.ask).suffix(AskRules.mostTold))
    }
  }
}
