import AutoMobileNetworkLog
import Foundation

/// The list of exchanges: loads pages as they are scrolled to, follows what is recorded, filters.
///
/// It reads on a queue of its own. ``onChange`` is called after each change of what is to be shown.
@MainActor
public final class NetworkLogListModel {
  public private(set) var rows: [NetworkLogRowContent] = []
  public private(set) var statistics = NetworkLogStatistics()
  /// There are older ones than the last row.
  public private(set) var hasMore = false
  public private(set) var isLoading = false
  /// Why the log could not be cleared, in words; nil when it was.
  public private(set) var problem: String?
  /// Setting it loads the list anew.
  public var filter = NetworkLogFilter() {
    didSet { if filter != oldValue { reload() } }
  }
  public var onChange: (@MainActor () -> Void)?

  public let log: NetworkLog
  private let reader: BackgroundReader
  private let pageSize: Int
  private var next: NetworkLogEntry.ID?
  /// What was begun before the filter changed is thrown away.
  private var generation = 0
  private var following: Task<Void, Never>?

  public init(_ log: NetworkLog, pageSize: Int = 100) {
    self.log = log
    self.pageSize = max(1, pageSize)
    reader = BackgroundReader(log)
  }

  deinit { following?.cancel() }

  /// Loads what is there, and from then on what comes. A second time does nothing.
  public func appear() {
    guard following == nil else { return }
    let updates = log.updates()
    following = Task { [weak self] in
      for await _ in updates {
        guard let self else { return }
        await self.load(atLeast: self.rows.count)
      }
    }
  }

  /// Follows no more.
  public func disappear() {
    following?.cancel()
    following = nil
  }

  /// Loads the next page, when there is one.
  public func loadMore() {
    guard let next, !isLoading else { return }
    isLoading = true
    let (filter, size, generation) = (filter, pageSize, generation)
    Task { [reader] in
      let page = await reader.read { $0.page(filter, from: next, limit: size) }
      guard generation == self.generation else { return }
      let known = Set(rows.map(\.id))
      rows += page.entries.filter { !known.contains($0.id) }.map(NetworkLogRowContent.init)
      show(next: page.next)
    }
  }

  /// Loads the list anew.
  public func reload() {
    generation += 1
    Task { await load(atLeast: 0) }
  }

  /// Empties the log for all who read it; what is recorded from now on is shown. See `NetworkLog.clear()`.
  public func clear() {
    Task { [reader] in
      problem = await reader.read { log -> String? in
        do {
          try log.clear()
          return nil
        } catch {
          return error.localizedDescription
        }
      }
      await load(atLeast: 0)
    }
  }

  /// The newest, as many as are shown already or as a page holds.
  private func load(atLeast count: Int) async {
    generation += 1
    isLoading = true
    let (filter, limit, generation) = (filter, max(pageSize, count), generation)
    let (page, statistics) = await reader.read { ($0.page(filter, limit: limit), $0.statistics(filter)) }
    guard generation == self.generation else { return }
    rows = page.entries.map(NetworkLogRowContent.init)
    self.statistics = statistics
    show(next: page.next)
  }

  private func show(next: NetworkLogEntry.ID?) {
    self.next = next
    hasMore = next != nil
    isLoading = false
    onChange?()
  }
}

/// Reads a log on a queue: neither the main thread nor the few threads of tasks are for files.
struct BackgroundReader: Sendable {
  private let log: NetworkLog
  private let queue = DispatchQueue(label: "dev.automobile.network-log.viewer", qos: .userInitiated)

  init(_ log: NetworkLog) { self.log = log }

  func read<Result: Sendable>(_ body: @escaping @Sendable (NetworkLog) -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(log)) }
    }
  }
}
