import AutoMobileState
import Foundation
import Logging
import NIOCore

/// The collector's promise: what ``append(receivedAt:batch:)`` has returned for is on the disk, power loss included.
///
/// Frames are appended with `writev` and made durable with `fdatasync` on a thread of the log's own. Group commit:
/// deliveries that arrive during one `fdatasync` share the next. The indexer follows behind; segments that it is done
/// with are removed.
final class IngestLog: @unchecked Sendable {
  // Unchecked because `condition` guards every variable but `file`, `written` and `numbers`, which only the thread touches.

  let directory: LogDirectory
  private let segmentSize: Int
  private let redact: @Sendable (CheckedBatch, DataOwner) -> CheckedBatch
  private let refusal: @Sendable () -> String?
  private let metrics: CollectorMetrics
  private let logger: Logger
  private let condition = NSCondition()
  private var pending: [Pending] = []
  private var durable: LogPosition
  private var unindexed: Int
  private var isClosing = false
  private var isClosed = false
  private var onAdvance: @Sendable () -> Void = {}
  /// How often a new segment was asked for, and how often one was begun for that.
  private var rolls = (wanted: 0, done: 0)

  /// The open segment; nil until the next write, which begins a new one.
  private var file: FileDescriptor?
  private var written: LogPosition
  /// Nil: records get none.
  private var numbers: FrameNumbers?
  private let isNumbered: Bool
  /// What was in the log when it was opened has numbers up to this one, and what comes has greater ones; nil: there are none.
  let numbersBefore: Int64?

  private struct Pending {
    /// Header and owner.
    var head: LogFrame.Head
    var records: Int
    var body: ByteBuffer
    var continuation: CheckedContinuation<Void, any Error>

    var length: Int { head.bytes.count + body.readableBytes }
    var stride: Int { LogFrame.stride(body: length - LogFrame.headerSize) }
  }

  /// Opens the log behind what is there already. An old segment is never written to again: its end may be torn.
  ///
  /// - Parameters:
  ///   - indexed: how far the index is; what lies behind it counts as backlog.
  ///   - writer: this collector's number among those that write into one store; nil: nothing is brought into another store, and the log
  ///     is one that collectors without numbers read, too.
  ///   - number: up to which its numbers are given, as the state says (``ArrivalRows/last(of:in:)``): also where what is noted beside
  ///     the log was lost.
  ///   - clock: by which numbers are given; milliseconds since 1970.
  ///   - refusal: why nothing may be taken in at this moment; nil: it may.
  init(
    directory: LogDirectory, indexed: LogPosition, segmentSize: Int, writer: Int? = nil, above number: Int64 = -1,
    metrics: CollectorMetrics, logger: Logger, clock: @escaping @Sendable () -> Int64 = { WallClock.now },
    refusal: @escaping @Sendable () -> String? = { nil },
    redact: @escaping @Sendable (CheckedBatch, DataOwner) -> CheckedBatch = { batch, _ in batch }
  ) throws {
    self.directory = directory
    self.segmentSize = segmentSize
    self.redact = redact
    self.refusal = refusal
    self.metrics = metrics
    self.logger = logger
    isNumbered = writer != nil
    numbers = try writer.map { try FrameNumbers(directory: directory, writer: $0, above: number, clock: clock) }
    numbersBefore = numbers?.before
    let segments = try directory.segments()
    let next = max(segments.last?.number ?? 0, indexed.segment) + 1
    written = LogPosition(segment: next, offset: 0)
    durable = written
    unindexed = segments.reduce(0) { sum, segment in
      if segment.number < indexed.segment { return sum }
      return sum + (segment.number == indexed.segment ? max(0, segment.size - indexed.offset) : segment.size)
    }
    startThread("ingest log") { [self] in run() }
  }

  // MARK: For the receiving side

  /// Returns when the batch is durable. What rules take out of it is never written.
  ///
  /// - Throws: ``SystemError`` when it could not be written; then it is not in the log. ``APIError`` when nothing may be taken in.
  func append(receivedAt: Int64, owner: DataOwner, batch: CheckedBatch) async throws {
    try admit()
    let batch = redact(batch, owner)
    let head = batch.body.withUnsafeReadableBytes {
      LogFrame.Head(
        receivedAt: receivedAt, events: batch.events, owner: owner, body: $0, isNumbered: isNumbered)
    }
    try await withCheckedThrowingContinuation { continuation in
      condition.lock()
      let refused = isClosing
      if !refused {
        pending.append(
          Pending(head: head, records: batch.records, body: batch.body, continuation: continuation))
      }
      condition.signal()
      condition.unlock()
      if refused { continuation.resume(throwing: LogClosedError()) }
    }
  }

  /// Why nothing is taken in; nil: it is.
  var refused: String? { refusal() }

  private func admit() throws {
    guard let refused else { return }
    throw APIError(.serviceUnavailable, "not_taken_in", refused, retryAfter: 60)
  }

  /// Sends whoever comes away, before what they bring is read, while nothing may be taken in or so many bytes wait already.
  ///
  /// - Throws: ``APIError``.
  func admit(below limit: Int) throws {
    try admit()
    let backlog = backlog
    guard backlog < limit else {
      throw APIError.busy("\(backlog) bytes wait to be indexed: try again later", retryAfter: 5)
    }
  }

  /// Bytes that are durable and not indexed yet.
  var backlog: Int { condition.withLock { unindexed } }

  // MARK: For the indexer

  /// The end of what is durable.
  var end: LogPosition { condition.withLock { durable } }

  /// Calls `action` after each commit, from the log's thread.
  func onAdvance(_ action: @escaping @Sendable () -> Void) { condition.withLock { onAdvance = action } }

  /// Takes `bytes` out of the backlog; all of it when the index has reached the end.
  func indexed(bytes: Int, upTo position: LogPosition) {
    condition.withLock { unindexed = position >= durable ? 0 : max(0, unindexed - bytes) }
  }

  /// Has what comes from now on written to a new segment.
  ///
  /// - Returns: the number of the last one that may hold what came before.
  func roll() -> UInt64 {
    condition.lock()
    defer { condition.unlock() }
    rolls.wanted += 1
    let own = rolls.wanted
    condition.broadcast()
    while rolls.done < own, !isClosed { condition.wait() }
    return durable.segment - 1
  }

  /// Writes what is pending, then refuses everything.
  func close() {
    condition.lock()
    isClosing = true
    condition.broadcast()
    while !isClosed { condition.wait() }
    condition.unlock()
  }

  // MARK: The thread

  private func run() {
    while let group = nextGroup() {
      var rest = group[...]
      while !rest.isEmpty {
        let part = takeWhatFits(&rest)
        let start = Date()
        let result = Result { try commit(part) }
        metrics.commit(seconds: Date().timeIntervalSince(start), batches: part.count)
        finish(part, result)
      }
    }
    numbers?.close()
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Waits for deliveries, or for somebody who wants a new segment; nil when the log is closing and nothing is left.
  private func nextGroup() -> [Pending]? {
    condition.lock()
    while pending.isEmpty && !isClosing && rolls.done == rolls.wanted { condition.wait() }
    let isRolling = rolls.done != rolls.wanted
    if isRolling {
      leaveSegment()
      durable = written
      rolls.done = rolls.wanted
      condition.broadcast()
    }
    let group = pending
    pending = []
    let isOver = group.isEmpty && isClosing
    let advance = onAdvance
    condition.unlock()
    if isRolling { advance() }
    return isOver ? nil : group
  }

  /// The frames that go into the open segment, and into one `writev`: at least one.
  private func takeWhatFits(_ rest: inout ArraySlice<Pending>) -> ArraySlice<Pending> {
    if file != nil, let first = rest.first, written.offset + first.stride > segmentSize { leaveSegment() }
    var size = written.offset
    var count = 0
    for frame in rest {
      if count > 0, size + frame.stride > segmentSize || count * 3 > 1000 { break }
      size += frame.stride
      count += 1
    }
    let part = rest.prefix(count)
    rest = rest.dropFirst(count)
    return part
  }

  private func commit(_ frames: ArraySlice<Pending>) throws {
    var frames = frames
    for index in frames.indices {
      if let number = try numbers?.take(frames[index].records) { frames[index].head.number(number) }
    }
    let file = try openSegment()
    do {
      let size = frames.reduce(0) { $0 + $1.stride }
      try write(frames, to: file)
      guard sync(file.number) == 0 else { throw SystemError("fdatasync", directory.file(written.segment)) }
      written.offset += size
    } catch {
      // What lies behind the last durable frame is unknown now. Nobody was told that it is there; cut it off if that
      // works, and leave the segment in any case.
      ftruncate(file.number, off_t(written.offset))
      leaveSegment()
      throw error
    }
  }

  private func openSegment() throws -> FileDescriptor {
    if let file { return file }
    let opened = try directory.create(written.segment)
    file = opened
    return opened
  }

  private func leaveSegment() {
    guard file != nil else { return }
    file = nil
    written = LogPosition(segment: written.segment + 1, offset: 0)
  }

  private func write(_ frames: ArraySlice<Pending>, to file: FileDescriptor) throws {
    var vectors: [iovec] = []
    vectors.reserveCapacity(frames.count * 3)
    try withExtendedLifetime(frames) {
      for frame in frames {
        frame.head.bytes.withUnsafeBytes { vectors.append(Self.vector($0)) }
        frame.body.withUnsafeReadableBytes { vectors.append(Self.vector($0)) }
        let filling = frame.stride - frame.length
        if filling > 0 { vectors.append(Self.vector(UnsafeRawBufferPointer(rebasing: Self.zeros[..<filling]))) }
      }
      var offset = written.offset
      var next = 0
      while next < vectors.count {
        let count = vectors.withUnsafeBufferPointer { all in
          pwritev(file.number, all.baseAddress.map { $0 + next }, Int32(all.count - next), off_t(offset))
        }
        if count < 0 {
          if errno == EINTR { continue }
          throw SystemError("write", directory.file(written.segment))
        }
        offset += count
        var rest = count
        while next < vectors.count, rest >= vectors[next].iov_len {
          rest -= vectors[next].iov_len
          next += 1
        }
        if rest > 0 {
          vectors[next].iov_base = vectors[next].iov_base?.advanced(by: rest)
          vectors[next].iov_len -= rest
        }
      }
    }
  }

  private func finish(_ frames: ArraySlice<Pending>, _ result: Result<Void, any Error>) {
    switch result {
    case .success:
      let size = frames.reduce(0) { $0 + $1.stride }
      let advance = condition.withLock {
        durable = written
        unindexed += size
        return onAdvance
      }
      for frame in frames { frame.continuation.resume() }
      advance()
    case .failure(let error):
      logger.error("deliveries refused: the ingest log cannot be written", metadata: ["error": "\(error)"])
      for frame in frames { frame.continuation.resume(throwing: error) }
    }
  }

  private static func vector(_ bytes: UnsafeRawBufferPointer) -> iovec {
    iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }

  /// Eight bytes that are never freed nor written, for the filling behind a frame.
  nonisolated(unsafe) private static let zeros: UnsafeRawBufferPointer = {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeRawBufferPointer(bytes)
  }()

  private func sync(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    // fsync on Darwin leaves the data in the drive's cache.
    return fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
    return fdatasync(descriptor)
    #endif
  }
}

/// The collector is stopping.
struct LogClosedError: Error {}
