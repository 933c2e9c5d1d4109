import CoreMetrics

/// Everything that is counted, by name.
struct CollectorMetrics: Sendable {
  let registry = PrometheusRegistry()

  private let requests: @Sendable (String, Int) -> Counter
  private let answer: Timer
  private let accepted: Counter
  private let acceptedBytes: Counter
  private let receivedBytes: Counter
  private let rejected: Counter
  private let commits: Timer
  private let committedBatches: Counter
  private let indexedEvents: Counter
  private let duplicates: Counter
  private let quarantined: Counter
  private let indexing: Timer
  private let damaged: Counter
  private let indexFailures: Counter
  private let backlog: Meter
  private let packBacklog: Meter
  private let subscribers: Meter
  private let droppedSubscribers: Counter
  private let expiredEvents: Counter
  private let expiredSessions: Counter
  private let expiring: Timer
  private let indexBytes: Meter
  private let reads: [ReadCost: Meter]
  private let segments: Counter
  private let segmentBytes: Counter
  private let dataPoints: Counter
  private let forwards: @Sendable (String, String, String) -> Counter
  private let limits: @Sendable (Int64, String) -> Counter

  init() {
    let registry = registry
    requests = { format, status in
      Counter(
        label: "automobile_ingest_requests_total", dimensions: [("format", format), ("status", String(status))],
        factory: registry)
    }
    answer = Timer(label: "automobile_ingest_answer_seconds", factory: registry)
    accepted = Counter(label: "automobile_ingest_events_total", factory: registry)
    acceptedBytes = Counter(label: "automobile_ingest_bytes_total", factory: registry)
    receivedBytes = Counter(label: "automobile_ingest_received_bytes_total", factory: registry)
    rejected = Counter(label: "automobile_ingest_rejected_total", factory: registry)
    commits = Timer(label: "automobile_log_commit_seconds", factory: registry)
    committedBatches = Counter(label: "automobile_log_batches_total", factory: registry)
    indexedEvents = Counter(label: "automobile_indexed_events_total", factory: registry)
    duplicates = Counter(label: "automobile_duplicate_events_total", factory: registry)
    quarantined = Counter(label: "automobile_quarantined_records_total", factory: registry)
    indexing = Timer(label: "automobile_index_transaction_seconds", factory: registry)
    damaged = Counter(label: "automobile_log_damaged_bytes_total", factory: registry)
    indexFailures = Counter(label: "automobile_index_failures_total", factory: registry)
    backlog = Meter(label: "automobile_backlog_bytes", factory: registry)
    packBacklog = Meter(label: "automobile_pack_backlog_bytes", factory: registry)
    subscribers = Meter(label: "automobile_tail_subscribers", factory: registry)
    droppedSubscribers = Counter(label: "automobile_slow_readers_dropped_total", factory: registry)
    expiredEvents = Counter(label: "automobile_retention_events_total", factory: registry)
    expiredSessions = Counter(label: "automobile_retention_sessions_total", factory: registry)
    expiring = Timer(label: "automobile_retention_transaction_seconds", factory: registry)
    indexBytes = Meter(label: "automobile_index_bytes", factory: registry)
    reads = Dictionary(
      uniqueKeysWithValues: ReadCost.allCases.map { cost in
        (cost, Meter(label: "automobile_reads_running", dimensions: [("cost", cost.rawValue)], factory: registry))
      })
    segments = Counter(label: "automobile_replay_segments_total", factory: registry)
    segmentBytes = Counter(label: "automobile_replay_bytes_total", factory: registry)
    dataPoints = Counter(label: "automobile_otlp_data_points_total", factory: registry)
    limits = { key, what in
      Counter(
        label: "automobile_rate_limited_total", dimensions: [("key", String(key)), ("limit", what)], factory: registry)
    }
    forwards = { name, signal, outcome in
      Counter(
        label: "automobile_forward_\(name)_total", dimensions: [("signal", signal), ("outcome", outcome)],
        factory: registry)
    }
  }

  /// A request was refused because its key, project or launch has had what it may.
  func limited(key: Int64, _ what: String) { limits(key, what).increment() }

  /// A segment of a replay has come, of so many bytes.
  func segment(bytes: Int) {
    segments.increment()
    segmentBytes.increment(by: Int64(bytes))
  }

  /// So many values of metrics have come by OpenTelemetry; they are not kept.
  func points(_ count: Int) { dataPoints.increment(by: count) }

  /// What came of a request of a forwarder's.
  func forwarded(_ outcome: ForwardOutcome, of records: Int, _ signal: ForwardSignal) {
    func count(_ word: String, sent: Int = 0, rejected: Int = 0) {
      forwards("requests", signal.rawValue, word).increment()
      if sent > 0 { forwards("records", signal.rawValue, "sent").increment(by: sent) }
      if rejected > 0 { forwards("records", signal.rawValue, "rejected").increment(by: rejected) }
    }
    switch outcome {
    case .accepted(let rejected, _): count("accepted", sent: records - rejected, rejected: rejected)
    case .refused: count("refused", rejected: records)
    case .later: count("later")
    case .tooLarge: count("too_large")
    case .blocked: count("blocked")
    }
  }

  /// Records that a forwarder leaves out, because too many waited.
  func forwardDropped(_ records: Int, _ signal: ForwardSignal) {
    if records > 0 { forwards("records", signal.rawValue, "dropped").increment(by: records) }
  }

  func request(format: String, status: Int, seconds: Double) {
    requests(format, status).increment()
    answer.recordSeconds(seconds)
  }

  /// - Parameters:
  ///   - bytes: of the body.
  ///   - received: the same as it came, compressed or not.
  func accepted(events: Int, rejected count: Int, bytes: Int, received: Int) {
    accepted.increment(by: events)
    acceptedBytes.increment(by: bytes)
    receivedBytes.increment(by: received)
    rejected.increment(by: count)
  }

  func commit(seconds: Double, batches: Int) {
    commits.recordSeconds(seconds)
    committedBatches.increment(by: batches)
  }

  func indexed(_ tally: IndexTally, seconds: Double) {
    indexedEvents.increment(by: tally.stored)
    duplicates.increment(by: tally.duplicates)
    quarantined.increment(by: tally.quarantined)
    damaged.increment(by: tally.damagedBytes)
    indexing.recordSeconds(seconds)
  }

  func indexFailed() { indexFailures.increment() }
  func slowReaderDropped() { droppedSubscribers.increment() }

  /// One transaction of what the retention policy deletes.
  func retention(events: Int, sessions: Int, seconds: Double) {
    expiredEvents.increment(by: events)
    expiredSessions.increment(by: sessions)
    expiring.recordSeconds(seconds)
  }

  /// The registry's text, with the gauges set to now.
  func text(
    backlog bytes: Int, packs waiting: Int64, subscribers count: Int, index used: Int64, reads places: ReadPlaces
  ) -> String {
    for (cost, meter) in reads { meter.set(places.running(cost)) }
    indexBytes.set(used)
    backlog.set(bytes)
    packBacklog.set(waiting)
    subscribers.set(count)
    return registry.text()
  }
}

/// What one transaction of the indexer did.
struct IndexTally: Sendable, Equatable {
  var stored = 0
  var duplicates = 0
  var quarantined = 0
  var damagedBytes = 0
  /// Events that were counted with an issue.
  var reports = 0
  /// Bytes of the log that are behind now.
  var consumed = 0
  /// Records that belong to what was erased.
  var dropped = 0
}
