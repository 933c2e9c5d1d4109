import AutoMobileHTTP
import AutoMobileJournal
import Foundation

/// Writes exchanges into a log that other processes may be reading.
///
/// When ``record(_:)-(HTTPExchange)`` returns true, the exchange outlives the process, however that ends. Several processes may write into
/// one directory. Nothing is redacted here: see `HTTPRedaction`.
///
///     let writer = try NetworkLogWriter(NetworkLogDirectory(url), owner: "com.example.app")
///     writer.record(exchange)
///
/// Sendable: the journal is for all threads, what counts stands under the lock.
public final class NetworkLogWriter: @unchecked Sendable {
  /// What has become of what was to be recorded.
  public struct Counts: Sendable, Equatable {
    public var recorded = 0
    public var lost = 0
  }

  private let journal: Journal
  private let options: NetworkLogOptions
  private let lock = NSLock()
  private var counted = Counts()
  /// The last record found room, so the next may wait a little for it.
  private var isPatient = true

  /// How often room is looked for, and how long to wait in between, in microseconds: a segment is made in less.
  private static let attempts = 20
  private static let pause: UInt32 = 1000
  /// With more headers than this it would cost more room than it is worth, in bytes.
  private static let longestBeginning = 16 << 10

  /// A directory that cannot be used is no error: see ``failure``.
  ///
  /// - Parameters:
  ///   - directory: shared with whoever reads.
  ///   - owner: who records: a bundle id.
  ///   - options: its budget, and how much of a body is kept.
  /// - Throws: when there is not even memory.
  public convenience init(
    _ directory: NetworkLogDirectory, owner: String, options: NetworkLogOptions = NetworkLogOptions()
  ) throws {
    try self.init(directory, owner: owner, options: options, isKept: true)
  }

  /// - Parameter isKept: false when there is to be no file before ``startKeeping()``.
  package init(
    _ directory: NetworkLogDirectory, owner: String, options: NetworkLogOptions, isKept: Bool
  ) throws {
    self.options = options
    var journalOptions = options.journalOptions(directory: directory.records, owner: owner)
    journalOptions.startsInMemory = !isKept
    journal = try Journal(journalOptions, isKept: isKept)
  }

  /// From now on what is recorded is on disk. Returns at once; only the first call does anything.
  package func startKeeping() { journal.startKeeping() }

  /// Records an exchange: durably, when the answer is true. Not for the main thread: it may wait some milliseconds for the
  /// disk.
  @discardableResult
  public func record(_ exchange: HTTPExchange) -> Bool {
    var exchange = exchange
    exchange.requestBody = exchange.requestBody.map { $0.cut(to: options.bodyLimit) }
    exchange.responseBody = exchange.responseBody.map { $0.cut(to: options.bodyLimit) }
    var limit = max(exchange.requestBody?.bytes?.count ?? 0, exchange.responseBody?.bytes?.count ?? 0)
    var json = Self.json(exchange)
    // Escaping makes text longer, base64 the rest.
    while json.count > maximumRecord, limit > 0 {
      limit /= 2
      exchange.requestBody = exchange.requestBody.map { $0.cut(to: limit) }
      exchange.responseBody = exchange.responseBody.map { $0.cut(to: limit) }
      json = Self.json(exchange)
    }
    return append(.networkExchange, json)
  }

  /// Notes that a request begins, which outlives the process as well: readers show it until ``record(_:)-(HTTPExchange)`` is called with the
  /// same id and `startedAt`, and for as long as the log reaches back when it never is.
  ///
  /// It never waits. Bodies are left out, and what finds no room is left out whole: it is neither recorded nor lost, since
  /// the exchange comes when it has ended.
  @discardableResult
  public func begin(_ exchange: HTTPExchange) -> Bool {
    guard !exchange.id.isEmpty else { return false }
    var begun = HTTPExchange(
      id: exchange.id, startedAt: exchange.startedAt, method: exchange.method, url: exchange.url)
    begun.isUnfinished = true
    begun.requestHeaders = exchange.requestHeaders
    begun.graphQLOperation = exchange.graphQLOperation
    begun.tracerId = exchange.tracerId
    begun.traceparent = exchange.traceparent
    begun.source = exchange.source
    var json = Self.json(begun)
    if json.count > Self.longestBeginning {
      begun.requestHeaders = nil
      json = Self.json(begun)
    }
    guard !json.isEmpty, json.count <= maximumRecord else { return false }
    return json.withUnsafeBytes { journal.append(.provisionalRequest, $0) } != nil
  }

  /// Records a frame of a WebSocket, as ``record(_:)`` does an exchange.
  @discardableResult
  public func record(_ frame: HTTPWebSocketFrame) -> Bool {
    var frame = frame
    frame.payload = frame.payload.map { $0.cut(to: min(options.bodyLimit, maximumRecord / 8)) }
    return append(.networkFrame, Self.json(frame))
  }

  /// Counts what was not even tried to be recorded. Any thread.
  public func countLoss() { lock.withLock { counted.lost += 1 } }

  /// Any thread.
  public var counts: Counts { lock.withLock { counted } }

  /// Why nothing goes to disk at the moment, in words; nil while it does. Any thread.
  public var failure: String? { journal.failure }

  /// Removes everything that has been recorded, by any process; what others hold open is theirs alone from then on. Not for the
  /// main thread.
  ///
  /// - Parameter thenKeep: false when nothing is to be on disk from then on, until ``resumeKeeping()``.
  package func erase(thenKeep: Bool) { journal.erase(everybodys: true, thenKeep: thenKeep) }

  /// Keeps on disk again what is recorded.
  package func resumeKeeping() { journal.resumeKeeping() }

  /// Ends recording. What has been recorded stays.
  public func close() { journal.close() }

  /// Closes, and waits until nothing more is done in the directory. Blocks; not for the main thread.
  public func closeAndWait() { journal.closeAndWait() }

  /// Half a segment, so that little of one stays unused.
  private var maximumRecord: Int { max(4096, options.segmentSize) / 2 - 512 }

  /// One at a time, so that the counts and what the journal holds belong together.
  private func append(_ kind: RecordKind, _ json: Data) -> Bool {
    var attemptsLeft = Self.attempts
    while true {
      let (isRecorded, mayWait) = lock.withLock { () -> (Bool, Bool) in
        let isRecorded = !json.isEmpty && json.withUnsafeBytes { journal.append(kind, $0) } != nil
        if isRecorded {
          counted.recorded += 1
          isPatient = true
          return (true, false)
        }
        attemptsLeft -= 1
        let mayWait = isPatient && attemptsLeft > 0 && json.count <= maximumRecord && !json.isEmpty
        if !mayWait {
          counted.lost += 1
          isPatient = false
        }
        return (false, mayWait)
      }
      guard mayWait else { return isRecorded }
      usleep(Self.pause)
    }
  }

  private static func json(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(value)) ?? Data()
  }
}

extension HTTPBody {
  /// With at most so many bytes; with none, only the size.
  func cut(to limit: Int) -> HTTPBody {
    guard let bytes, bytes.count > max(0, limit) else { return self }
    return HTTPBody(bytes: limit > 0 ? bytes.prefix(limit) : nil, size: max(size, bytes.count))
  }
}
