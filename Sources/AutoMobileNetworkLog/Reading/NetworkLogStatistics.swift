import AutoMobileSupport

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
  /// By the number of the name, and of the class: they are few, and looking them up by name takes most of the time.
  private var hosts: [Group] = []
  private var methods: [Int] = []
  private var classes = [Int](repeating: 0, count: 6)
  private var unfinished = 0

  mutating func add(_ row: LogRow) {
    let host = Int(row.host)
    while hosts.count <= host { hosts.append(Group()) }
    hosts[host].add(row)
    let method = Int(row.method)
    while methods.count <= method { methods.append(0) }
    methods[method] += 1
    if row.flags.contains(.mocked) { result.mocked += 1 }
    if row.flags.contains(.unfinished) { unfinished += 1 } else { classes[min(Int(row.status) / 100, 5)] += 1 }
    result.requestBytes += Int(row.requestSize)
    result.responseBytes += Int(row.responseSize)
    result.firstStartedAt = min(result.firstStartedAt ?? .max, row.startedAt)
    result.lastStartedAt = max(result.lastStartedAt ?? .min, row.startedAt)
  }

  func statistics(_ names: LogNames) -> NetworkLogStatistics {
    var result = result
    let hosts = hosts.map { group in
      var group = group
      group.durations.sort()
      return group
    }
    result.count = hosts.reduce(0) { $0 + $1.count }
    result.errors = hosts.reduce(0) { $0 + $1.errors }
    // What is sorted in runs is sorted fast.
    let durations = hosts.flatMap(\.durations).sorted()
    result.medianDuration = Self.quantile(0.5, of: durations)
    result.p95Duration = Self.quantile(0.95, of: durations)
    for (hundreds, count) in classes.enumerated() where count > 0 {
      result.byStatusClass[.init(hundreds * 100), default: 0] += count
    }
    if unfinished > 0 { result.byStatusClass[.unfinished] = unfinished }
    for (method, count) in methods.enumerated() where count > 0 {
      result.byMethod[names.methods.name(UInt32(clamping: method)), default: 0] += count
    }
    result.hosts = hosts.enumerated().filter { $1.count > 0 }.map { id, group in
      NetworkLogStatistics.Host(
        name: names.hosts.name(UInt32(clamping: id)), count: group.count, errors: group.errors,
        medianDuration: Self.quantile(0.5, of: group.durations))
    }.ordered { ($1.count, $0.name) < ($0.count, $1.name) }
    return result
  }

  /// The smallest that at least such a part is not greater than.
  private static func quantile(_ part: Double, of sorted: [Float]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = Int(exactly: (part * Double(sorted.count)).rounded(.up)) ?? 1
    return Double(sorted[min(max(1, rank), sorted.count) - 1])
  }
}
