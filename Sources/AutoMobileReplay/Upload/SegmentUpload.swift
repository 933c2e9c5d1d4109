import AutoMobileRecorder
import Foundation

/// One segment's way to the collector: presign, PUT, complete. One at a time.
struct SegmentUpload: Sendable {
  let ingest: Ingest
  /// Those that are known now: a replay may begin before telemetry's session does, and go through several.
  let telemetrySessionIds: @Sendable () -> [String]
  let sdkVersion: String
  /// Milliseconds since 1970.
  var now: @Sendable () -> Int64 = Clocks.millisecondsSince1970
  /// Waits for so many milliseconds; throws when nobody wants the segment any more.
  var sleep: @Sendable (Int64) async throws -> Void
  /// Whether there is a network that may be used: it may be another one after each wait.
  var isOpen: @Sendable () async -> Bool = { true }

  /// Tries of one step, and the wait after the first in milliseconds: 1, 2 and 4 seconds.
  static let tries = 4
  static let firstWait: Int64 = 1000

  /// What became of a segment.
  enum Outcome: Sendable, Equatable {
    /// The collector has it.
    case uploaded(bytes: Int)
    /// It will never take it.
    case rejected
    case tooLarge
    /// Not now: the segment stays.
    case later
    case quota, denied, closed
    /// The collector does not know it any more: it has to be presigned again.
    case unknown(byCollector: Bool)
    /// Somebody else answered: nobody knows what of it the collector would take. The segment stays.
    case stranger
  }

  func upload(_ segment: Segment) async -> Outcome {
    // Once more from the beginning, when the collector has forgotten in between what it was asked.
    var isForgotten = false
    for _ in 0..<2 {
      let outcome = await attempt(segment)
      guard case .unknown(let byCollector) = outcome else { return outcome }
      isForgotten = byCollector
    }
    return isForgotten ? .rejected : .stranger
  }

  private func attempt(_ segment: Segment) async -> Outcome {
    let id = segment.id
    // What does not get smaller is sent as gzip all the same.
    let body = Self.gzip(segment.content)
    guard let body else { return .rejected }
    var announcement: [String: Any] = [
      "sessionId": segment.sessionId, "segmentId": id, "kind": segment.kind.rawValue,
      "startTime": segment.startTime, "endTime": segment.endTime, "frameCount": segment.count,
      "sizeBytes": body.count, "compression": "gzip", "contentHash": segment.contentHash, "sdkVersion": sdkVersion,
      "telemetrySessionIds": telemetrySessionIds(),
    ]
    announcement["continues"] = segment.continues
    let presigned = await step { await ingest.post("/api/ingest/segment/presign", announcement) }
    guard case .success(let answer) = presigned else {
      // There is no such route: that says nothing about this segment.
      if case .unknown = presigned.outcome { return .stranger }
      return presigned.outcome
    }
    let members = answer.json
    if members["skipUpload"] as? Bool == true { return .uploaded(bytes: 0) }
    guard let url = members["uploadUrl"] as? String else { return .stranger }
    let segmentId = members["segmentId"] as? String ?? id
    let put = await step(isOwn: false) { await ingest.put(body, to: url) }
    guard case .success = put else { return put.outcome }
    let completed = await step {
      await ingest.post(
        "/api/ingest/segment/complete",
        [
          "segmentId": segmentId, "sessionId": segment.sessionId, "frameCount": segment.count,
          "actualSizeBytes": body.count,
        ])
    }
    guard case .success = completed else { return completed.outcome }
    return .uploaded(bytes: body.count)
  }

  enum Step {
    case success(HTTPAnswer)
    case failure(Outcome)

    var outcome: Outcome { if case .failure(let outcome) = self { outcome } else { .later } }
  }

  /// One request, tried again as its answers have it.
  ///
  /// - Parameter isOwn: see ``UploadVerdict/init(_:now:isOwn:)``.
  func step(isOwn: Bool = true, _ request: () async -> HTTPAnswer) async -> Step {
    var wait = Self.firstWait
    for attempt in 1...Self.tries {
      guard await isOpen() else { return .failure(.later) }
      let answer = await request()
      switch UploadVerdict(answer, now: now(), isOwn: isOwn) {
      case .ok: return .success(answer)
      case .quota: return .failure(.quota)
      case .denied: return .failure(.denied)
      case .closed: return .failure(.closed)
      case .tooLarge: return .failure(.tooLarge)
      case .rejected: return .failure(.rejected)
      case .unknown(let byCollector): return .failure(.unknown(byCollector: byCollector))
      case .stranger: return .failure(.stranger)
      case .wait(let milliseconds):
        guard attempt < Self.tries, (try? await sleep(milliseconds)) != nil else { return .failure(.later) }
      case .later:
        guard attempt < Self.tries, !(await ingest.breaker.isOpen), (try? await sleep(wait)) != nil else {
          return .failure(.later)
        }
        wait = wait &* 2
      }
    }
    return .failure(.later)
  }

  /// The gzip form, also of what it makes longer.
  static func gzip(_ content: Data) -> Data? {
    let short = content.withUnsafeBytes { BodyCompression.gzip.compress($0, level: 6) }
    return short.map { Data($0) } ?? StoredGzip.wrap(content)
  }
}
