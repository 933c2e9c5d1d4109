/// What the collector takes from strangers before it says no. All sizes in bytes.
public struct CollectorLimits: Sendable {
  /// A request's body, as sent.
  public var bodyBytes = 8 << 20
  /// A request's body after decompression.
  public var decompressedBytes = 32 << 20
  /// One event's JSON.
  public var eventBytes = 1 << 20
  /// Events in one envelope.
  public var batchEvents = 10_000
  /// Log records or spans in one request of OpenTelemetry's, and all parts of them (attributes, values, events).
  public var otlpRecords = 20_000
  public var otlpMessages = 300_000
  /// What becomes of its resources, which stand in it once and are said of each of its sessions.
  public var otlpContextBytes = 16 << 20
  /// Levels of nesting in any JSON.
  public var jsonDepth = 64

  /// All header fields of a request together, and one of them.
  public var headerBytes = 16 << 10
  public var headerCount = 100
  /// From a request's first byte to its last, in seconds.
  public var requestSeconds = 30.0
  /// A connection on which nothing has come yet, in seconds.
  public var silentSeconds = 10.0
  /// A connection between two requests, in seconds.
  public var idleSeconds = 60.0
  /// A reader that takes nothing, in seconds.
  public var stalledReaderSeconds = 20.0
  /// Beyond, a new connection takes the place of the one that waits for a request for longest.
  public var connections = 512
  /// Listeners of the live tail.
  public var subscribers = 64

  /// Bodies in memory at one time, over all connections. Beyond it: 429.
  public var inFlightBytes = 128 << 20
  /// Accepted and durable, but not indexed yet. Beyond it: 429.
  public var backlogBytes = 512 << 20
  /// One file of symbols, and all of them together.
  public var symbolFileBytes: Int64 = 4 << 30
  public var symbolStoreBytes: Int64 = 64 << 30
  /// The sources of all builds together.
  public var sourceStoreBytes: Int64 = 4 << 30
  /// Replays that are on this machine's disk because the store of blobs has not taken them yet. Beyond it: 429.
  public var packBacklogBytes: Int64 = 4 << 30
  /// Copies of symbols and sources, where the store of blobs is elsewhere.
  public var blobCacheBytes: Int64 = 16 << 30
  /// From the first byte of an uploaded file of symbols to its last, in seconds.
  public var symbolUploadSeconds = 900.0
  /// Rows kept of what could not be indexed; older ones go, their count stays.
  public var quarantineRows = 10_000

  /// Questions that are answered at one time: those that an index answers, those for which much has to be looked at, and
  /// those of live tails.
  public var lightReads = 4
  public var heavyReads = 3
  public var tailReads = 1
  /// Expensive questions that wait for a place; and for how many seconds anybody does. Beyond it: 429.
  public var waitingHeavyReads = 16
  public var readWaitSeconds = 5.0
  /// The longest that one read of the index may take, in seconds. Beyond it: 503.
  public var readSeconds = 10.0
  /// After so many bytes a page ends, whatever its limit of rows.
  public var pageBytes = 4 << 20
  /// What a live tail writes at once.
  public var tailBytes = 256 << 10
  /// Answers that nobody has taken yet, over all connections. Beyond it: 429.
  public var answerBytes = 256 << 20
  /// Of a stop, in seconds: after so many, questions that are not answered end; all connections are closed; and what has
  /// not been indexed (which begins when all requests have ended) is left to the next run.
  public var finishSeconds = 2.0
  public var closeSeconds = 4.0
  public var indexSeconds = 3.0

  public init() {}

  /// The longest body that the ingest log can hold: an envelope's base64 shrinks by a quarter, but short events gain a
  /// record header each.
  var maximumLogBody: Int { decompressedBytes + batchEvents * 32 + (64 << 10) + LogFrame.longestPrefix }
}
