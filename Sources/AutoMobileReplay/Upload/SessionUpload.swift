import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Uploads one session: its frames, then its lines, one segment after the other, and at last its end. There is one of these for
/// a session, and it does one thing at a time.
actor SessionUpload {
  struct Metrics: Sendable, Equatable {
    var segmentsUploaded = 0
    var segmentsDropped = 0
    var bytesUploaded = 0
    var framesLost = 0
  }

  /// How far an attempt came.
  enum Progress: Sendable, Equatable {
    /// Everything that is there to upload is with the collector, or never will be.
    case done
    /// The rest has to wait.
    case later
  }

  private let directory: SessionDirectory
  private let frames: FrameSegments
  private let lines: LineSegments
  private let journal: SessionJournal
  private let upload: SegmentUpload
  private let gate: PathGate
  /// The session's own time, which frames and lines have, in milliseconds since 1970.
  private let time: @Sendable () -> Int64
  private let onRefusal: @Sendable (ReplayRefusal) -> Void
  /// 402: no frames any more.
  private var hasNoQuota = false
  /// 403, 409: nothing any more.
  private var isClosed = false
  private var isBusy = false
  /// The last group of frames, so far as it is with the collector.
  private var growing: FrameSegments.Growing?
  /// The number of the last frame that is done with. A disk that keeps its file must not have it uploaded for ever.
  private var goneUpTo = -1
  /// The last window of lines, likewise.
  private var growingLines: LineSegments.Growing?
  private(set) var metrics = Metrics()

  init(
    _ directory: SessionDirectory, journal: SessionJournal, budget: FrameBudget, upload: SegmentUpload, gate: PathGate,
    time: (@Sendable () -> Int64)? = nil, onRefusal: @escaping @Sendable (ReplayRefusal) -> Void
  ) {
    self.time = time ?? upload.now
    self.directory = directory
    self.journal = journal
    self.upload = upload
    self.gate = gate
    self.onRefusal = onRefusal
    frames = FrameSegments(directory: directory, budget: budget)
    lines = LineSegments(journal: journal, sessionId: directory.id)
  }

  /// Whether the collector has said that the session is over.
  var isRefused: Bool { isClosed }

  /// Uploads what can be.
  ///
  /// - Parameters:
  ///   - isOver: nothing is added to the session any more.
  ///   - takesAll: nothing is added for a while, so no part waits for more.
  func drain(isOver: Bool, takesAll: Bool = false) async -> Progress {
    // An actor lets others in while it waits: they find it busy.
    guard !isBusy else { return .later }
    isBusy = true
    defer { isBusy = false }
    while let next = frames.next(
      isOver: isOver, now: takesAll ? .max : time(), after: growing, beyond: goneUpTo)
    {
      var isTaken = false
      if let segment = next.segment {
        let dropped = metrics.segmentsDropped
        if hasNoQuota || isClosed { drop(segment) } else if await !send(segment) { return .later }
        isTaken = metrics.segmentsDropped == dropped
      }
      metrics.framesLost += next.lost
      growing = next.growing
      if next.segment != nil, !isTaken { growing?.isBroken = true }
      frames.remove(next.files)
      goneUpTo = max(goneUpTo, next.files.last?.number ?? -1)
    }
    while let next = lines.next(isOver: isOver || takesAll, now: time(), after: growingLines) {
      for segment in next.segments where !isClosed {
        guard await send(segment) else { return .later }
      }
      growingLines = next.growing
      lines.done(next)
    }
    return .done
  }

  /// Tells the collector that the session is over.
  ///
  /// - Returns: false when that has to wait.
  func tellEnd(_ ending: ReplayEnding, session: SessionRecord, checkpoint: Checkpoint?) async -> Bool {
    // Whoever closed it knows.
    guard !isClosed else { return true }
    let counts = checkpoint ?? Checkpoint.none
    var numbers = [
      "framesRecorded": counts.framesRecorded, "framesDropped": counts.framesDropped + metrics.framesLost,
      "framesNotTaken": metrics.framesLost, "segmentsUploaded": metrics.segmentsUploaded,
      "segmentsDropped": metrics.segmentsDropped, "bytesUploaded": metrics.bytesUploaded,
    ]
    for reason in FrameLoss.allCases {
      numbers["framesDropped.\(reason.rawValue)"] = counts.framesLost?[reason.rawValue]
    }
    return await upload.end([
      "sessionId": session.id, "telemetrySessionIds": counts.telemetrySessionIds, "startedAt": session.startedAt,
      "endedAt": ending.endedAt, "totalBackgroundTimeMs": ending.totalBackgroundMs,
      "endReason": ending.reason.rawValue, "timingVersion": 3, "closeAnchorAtMs": ending.closeAnchorAt,
      "metrics": numbers,
    ])
  }

  /// - Returns: false when the segment stays for later.
  private func send(_ segment: Segment) async -> Bool {
    var waiting = [segment]
    while let segment = waiting.popLast() {
      guard await gate.isOpen, !Task.isCancelled else { return false }
      switch await upload.upload(segment) {
      case .uploaded(let bytes):
        metrics.segmentsUploaded += 1
        metrics.bytesUploaded += bytes
      case .later: return false
      case .rejected, .unknown: drop(segment)
      case .tooLarge:
        guard let (first, second) = segment.halves else {
          drop(segment)
          continue
        }
        waiting += [second, first]
      case .quota:
        drop(segment)
        guard !hasNoQuota else { continue }
        hasNoQuota = true
        onRefusal(.quota)
      case .denied, .closed:
        drop(segment)
        isClosed = true
        onRefusal(.closed)
        return true
      }
    }
    return true
  }

  private func drop(_ segment: Segment) {
    metrics.segmentsDropped += 1
    if segment.kind == .screenshots { metrics.framesLost += segment.count }
  }
}

extension Checkpoint {
  static let none = Checkpoint(
    at: 0, totalBackgroundMs: 0, telemetrySessionIds: [], framesRecorded: 0, framesDropped: 0)
}

extension SegmentUpload {
  /// - Returns: false when it has to wait. What the collector will never take has been said all the same.
  func end(_ body: [String: Any]) async -> Bool {
    let ended = await step { await ingest.post("/api/ingest/session/end", body) }
    if case .failure(.later) = ended { return false }
    return true
  }
}
