import NIOCore

/// Records that go out together.
struct ForwardBatch: Sendable {
  /// The request's body, compressed if that was wanted and made it shorter.
  var body = ByteBuffer()
  var isCompressed = false
  var count = 0
  /// The event up to which everything is in it, or not wanted.
  var end: Int64
  /// Whether there was nothing behind it.
  var isLast = false
}

/// How much goes out at once.
struct ForwardLimits: Sendable {
  var records = 2000
  /// Of the events as they stand in the index.
  var bytes = 2 << 20
  /// Ids that one read of the index looks at.
  var window: Int64 = 50_000
  /// Requests in a row that a receiver may refuse before it is no longer asked which record it is.
  var refusals = 24
}
