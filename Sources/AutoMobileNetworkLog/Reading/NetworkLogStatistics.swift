/// Counts over a log, or over what a filter lets through.
public struct NetworkLogStatistics: Sendable, Equatable {
  public struct Host: Sendable, Equatable {
    public var name: String
    public var count: Int
    public var errors: Int
    /// Of the durations, in milliseconds; nil when none is known.
    public var medianDuration: Double?
  }

  public var count = 0
  /// Without a response, or with a status from 400 on.
  public var errors = 0
  public var mocked = 0
  public var byStatusClass: [NetworkLogFilter.StatusClass: Int] = [:]
  public var byMethod: [String: Int] = [:]
  /// The most used first.
  public var hosts: [Host] = []
  /// Of the durations, in milliseconds; nil when none is known.
  public var medianDuration: Double?
  public var p95Duration: Double?
  /// Of the bodies, as the app saw them, in bytes.
  public var requestBytes = 0
  public var responseBytes = 0
  /// Of the first and the last exchange, in milliseconds since 1970.
  public var firstStartedAt: Int64?
  public var lastStartedAt: Int64?

  public init() {}
}

/// Adds rows up.
struct StatisticsCollector {
  private struct Group {
    var count = 0
    var errors = 0
    var durations: [Float] = []

    mutating func add(_ row: LogRow) {
      count += 1
      if row.isError { errors += 1 }
      if row.duration.isFinite { durations.append(row.duration) }
    }
  }

  private var result = NetworkLogStatistics()
  private var whole = Group()
  private var hosts: [Names.ID: Group] = [:]
  private var methods: [Names.ID: Int] = [:]

  mutating func add(_ row: LogRow) {
    whole.add(row)
    hosts[row.host, default: Group()].add(row)
    methods[row.method, default: 0] += 1
    if row.flags.contains(.mocked) { result.mocked += 1 }
    result.byStatusClass[.init(Int(row.status)), default: 0] += 1
    result.requestBytes += Int(row.requestSize)
    result.responseBytes += Int(row.responseSize)
    result.firstStartedAt = min(result.firstStartedAt ?? .max, row.startedAt)
    result.lastStartedAt = max(result.lastStartedAt ?? .min, row.startedAt)
  }

  func statistics(_ names: LogNames) -> NetworkLogStatistics {
    var result = result
    result.count = whole.count
    result.errors = whole.errors
    let durations = whole.durations.sorted()
    result.medianDuration = Self.quantile(0.5, of: durations)
    result.p95Duration = Self.quantile(0.95, of: durations)
    for (method, count) in methods { result.byMethod[names.methods.name(method), default: 0] += count }
    result.hosts = hosts.map { id, group in
      NetworkLogStatistics.Host(
        name: names.hosts.name(id), count: group.count, errors: group.errors,
        medianDuration: Self.quantile(0.5, of: group.durations.sorted()))
    }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    return result
  }

  /// The smallest that at least such a part is not greater than.
  private static func quantile(_ part: Double, of sorted: [Float]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = Int(exactly: (part * Double(sorted.count)).rounded(.up)) ?? 1
    return Double(sorted[min(max(1, rank), sorted.count) - 1])
  }
}
