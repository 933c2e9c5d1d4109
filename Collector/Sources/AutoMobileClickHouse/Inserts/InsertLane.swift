import NIOCore

/// The rows of one table for one shard: put together, sent one insert after the other, and again with the very same bytes until it
/// is known that they are there.
actor InsertLane {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct Batch {
    var bytes = ByteBuffer()
    var rows = 0
    /// Whose rows these are. Who does not wait any more is not in it; the rows are.
    var waiters: [Int: Waiter] = [:]
    /// When the first of them came.
    var since: ContinuousClock.Instant
  }

  let table: TelemetryTable
  let shard: ShardMap.Shard
  private let send: @Sendable (ByteBuffer) async throws -> Void
  private let limits: InsertLimits
  private let memory: InsertMemory
  /// In the order in which they are sent; the last one takes rows.
  private var batches: [Batch] = []
  /// Who waits for the one that is being sent.
  private var onTheWay: [Int: Waiter] = [:]
  private var next = 0
  private var isSending = false
  private var timer: Task<Void, Never>?

  init(
    _ table: TelemetryTable, _ shard: ShardMap.Shard, _ limits: InsertLimits, _ memory: InsertMemory,
    send: @escaping @Sendable (ByteBuffer) async throws -> Void
  ) {
    self.table = table
    self.shard = shard
    self.limits = limits
    self.memory = memory
    self.send = send
  }

  /// Waits until ClickHouse has confirmed these rows.
  ///
  /// - Throws: ``InsertFailure/Part``; `CancellationError`, after which the rows may arrive all the same.
  func add(_ bytes: ByteBuffer, rows: Int) async throws {
    try await memory.take(bytes.readableBytes)
    let number = next
    next += 1
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        put(bytes, rows, number, waiter)
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      Task { await leave(number) }
    }
  }

  private func put(_ bytes: ByteBuffer, _ rows: Int, _ number: Int, _ waiter: Waiter) {
    let isFull = batches.last.map {
      $0.rows + rows > limits.longestRows || $0.bytes.readableBytes + bytes.readableBytes > limits.longestBytes
    }
    if isFull ?? true { batches.append(Batch(since: .now)) }
    let last = batches.count - 1
    batches[last].bytes.writeImmutableBuffer(bytes)
    batches[last].rows += rows
    batches[last].waiters[number] = waiter
    if isDue(batches[0]) { start() } else { wait(until: batches[0].since + limits.patience) }
  }

  private func leave(_ number: Int) {
    for index in batches.indices {
      batches[index].waiters.removeValue(forKey: number)?.resume(throwing: CancellationError())
    }
    onTheWay.removeValue(forKey: number)?.resume(throwing: CancellationError())
  }

  // MARK: Sending

  private func isDue(_ batch: Batch) -> Bool {
    batch.rows >= limits.rows || batch.bytes.readableBytes >= limits.longestBytes || batches.count > 1
      || batch.since + limits.patience <= .now
  }

  private func wait(until instant: ContinuousClock.Instant) {
    guard timer == nil, !isSending else { return }
    timer = Task {
      try? await Task.sleep(until: instant, clock: .continuous)
      timer = nil
      start()
    }
  }

  private func start() {
    guard !isSending, !batches.isEmpty else { return }
    isSending = true
    Task { await work() }
  }

  private func work() async {
    while let first = batches.first, isDue(first) {
      // Nothing is added to it any more: it keeps its bytes whatever happens.
      batches.removeFirst()
      onTheWay = first.waiters
      let failure = await deliver(first.bytes)
      memory.give(first.bytes.readableBytes)
      for waiter in onTheWay.values {
        if let failure { waiter.resume(throwing: failure) } else { waiter.resume() }
      }
      onTheWay = [:]
    }
    isSending = false
    if let first = batches.first { wait(until: first.since + limits.patience) }
  }

  private func deliver(_ bytes: ByteBuffer) async -> InsertFailure.Part? {
    let beginning = ContinuousClock.now
    var pause = limits.pause
    var attempts = 0
    while true {
      attempts += 1
      do {
        try await send(bytes)
        return nil
      } catch {
        let isOver = limits.giveUpAfter.map { ContinuousClock.now - beginning + pause > $0 } ?? false
        // When nobody waits for it any more, whoever brought it has it still.
        guard (error as? ClickHouseError)?.isTransient == true, !isOver, !onTheWay.isEmpty else {
          return InsertFailure.Part(table: table.name, shard: shard.number, attempts: attempts, error: error)
        }
        // Not all at once when a server comes back.
        try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
        pause = min(pause * 2, limits.longestPause)
      }
    }
  }
}
