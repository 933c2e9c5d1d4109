/// What one transaction adds to a session's row.
struct SessionDelta {
  var events: Int64 = 0
  var errors: Int64 = 0
  var first: Int64?
  var last: Int64?
  var received: Int64 = 0
  var types: [Int64: Int64] = [:]
  /// Those that it was in, with what came from them.
  var launches: [Int64: Own] = [:]
  var screens: Set<String> = []
  /// A summary of it came.
  var isTold = false
  var lastScreen: (name: String, at: Int64)?
  /// The newest attributes seen; nil members leave the row as it is.
  var context: ContextRecord?
  var bundleId: String?

  /// Events of it that came from the launch in which they happened.
  struct Own {
    var events: Int64 = 0
    var last: Int64?

    /// - Parameter timestamp: nil for what is none of these.
    mutating func add(_ timestamp: Int64?) {
      guard let timestamp else { return }
      events += 1
      last = max(last ?? timestamp, timestamp)
    }
  }

  /// - Parameter isOwn: it came from the launch that it happened in, not from a later one.
  mutating func add(
    type: Int64, timestamp: Int64, received: Int64, launch: Int64, isEvent: Bool, isError: Bool, isOwn: Bool = true
  ) {
    types[type, default: 0] += 1
    if isEvent { events += 1 }
    if isError { errors += 1 }
    first = min(first ?? timestamp, timestamp)
    last = max(last ?? timestamp, timestamp)
    self.received = max(self.received, received)
    launches[launch, default: Own()].add(isEvent && isOwn ? timestamp : nil)
  }

  /// - Parameters:
  ///   - launch: the one that it is about; nil when nothing of that has come.
  ///   - summary: nil: it says nothing that could be believed.
  mutating func add(summary: SessionSummary?, type: Int64, timestamp: Int64, received: Int64, launch: Int64?) {
    types[type, default: 0] += 1
    isTold = isTold || summary != nil
    first = min(first ?? .max, summary?.startedAt ?? timestamp)
    last = max(last ?? .min, summary?.endedAt ?? timestamp)
    self.received = max(self.received, received)
    if let launch { launches[launch, default: Own()].add(nil) }
    for screen in summary?.screens ?? [] where screen.utf8.count <= EventFields.maximumName { screens.insert(screen) }
  }

  /// A summary that says nothing new but how the session ended: when, one before has said.
  mutating func addEnd(type: Int64, received: Int64) {
    types[type, default: 0] += 1
    isTold = true
    self.received = max(self.received, received)
  }

  mutating func visit(_ screen: String, at timestamp: Int64) {
    if screen.utf8.count <= EventFields.maximumName { screens.insert(screen) }
    if timestamp >= lastScreen?.at ?? .min { lastScreen = (screen, timestamp) }
  }
}

/// What one transaction adds to a launch's row.
struct LaunchDelta {
  var stored: Int64 = 0
  var duplicates: Int64 = 0
  var quarantined: Int64 = 0
  /// Not kept, because it belongs to what was erased: as if it had been here and deleted since.
  var dropped: Int64 = 0
  /// Of the JSON of what was stored.
  var bytes: Int64 = 0
  var first: Int64?
  var last: Int64?

  /// - Parameter timestamp: nil for what it tells of another.
  mutating func add(timestamp: Int64?, bytes: Int) {
    stored += 1
    self.bytes += Int64(bytes)
    guard let timestamp else { return }
    first = min(first ?? timestamp, timestamp)
    last = max(last ?? timestamp, timestamp)
  }
}
