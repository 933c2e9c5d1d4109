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
    /// What somebody wants is with the collector, and nobody wants the rest yet.
    case kept
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
  /// Asked again before each segment: rules and asks come while it uploads.
  private let mayGo: @Sendable () -> MayGo
  private let onRefusal: @Sendable (ReplayRefusal) -> Void
  /// 402: no frames any more. Of what stays on the device they stay, too.
  private var hasNoQuota = false
  /// 409, and 401 or 403 where everything goes: nothing any more.
  private var isClosed = false
  /// Nobody may send anything now, or somebody else answers: asked again when the wait is over.
  private var refusal = UploadPause()
  /// The collector knows the session's end: 409 concerns what is from after it, and nothing else.
  private var hasToldEnd = false
  private var isBusy = false
  /// Groups of frames of which parts are with the collector, by their key frames' numbers.
  private var growing: [Int: FrameSegments.Growing] = [:]
  /// The numbers of frames that are done with, and whose files the disk keeps: they must not be uploaded for ever.
  private var stuck: Set<Int> = []
  private var index = LineIndex()
  /// Something may have stayed since this drain began.
  private var hasHeldBack = false
  /// The last window of lines, likewise.
  private var growingLines: LineSegments.Growing?
  private(set) var metrics = Metrics()

  init(
    _ directory: SessionDirectory, journal: SessionJournal, budget: FrameBudget, upload: SegmentUpload, gate: PathGate,
    time: (@Sendable () -> Int64)? = nil, mayGo: @escaping @Sendable () -> MayGo = { .everything },
    onRefusal: @escaping @Sendable (ReplayRefusal) -> Void
  ) {
    self.time = time ?? upload.now
    self.mayGo = mayGo
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

  /// Uploads what can be, and may go.
  ///
  /// - Parameters:
  ///   - isOver: nothing is added to the session any more.
  ///   - endedAt: when it ended, if it has; nil: nobody knows.
  ///   - takesAll: nothing is added for a while, so no part waits for more.
  func drain(isOver: Bool, endedAt: Int64? = nil, takesAll: Bool = false) async -> Progress {
    // An actor lets others in while it waits: they find it busy.
    guard !isBusy else { return .later }
    // What is over is asked for by recovery, which has waits of its own.
    guard isOver || !refusal.lasts(at: time()) else { return .later }
    refusal.isNew = false
    isBusy = true
    defer { isBusy = false }
    hasHeldBack = false
    while let next = frames.next(
      isOver: isOver, now: takesAll ? .max : time(), growing: growing, except: stuck, mayGo: look(isOver: isOver),
      endedAt: endedAt)
    {
      var isTaken = false
      if let segment = next.segment {
        let dropped = metrics.segmentsDropped
        if isClosed || hasNoQuota && !keeps { drop(segment) } else if await !send(segment) { return .later }
        isTaken = metrics.segmentsDropped == dropped
      }
      metrics.framesLost += next.lost
      if var part = next.growing {
        if next.segment != nil, !isTaken { part.isBroken = true }
        growing[part.key] = part
      } else if let key = next.files.first(where: \.isKey)?.number {
        growing[key] = nil
      }
      stuck.formUnion(frames.remove(next.files).map(\.number))
    }
    while let next = nextLines(look(isOver: isOver), takesAll: isOver || takesAll, endedAt: endedAt) {
      for segment in next.segments where !isClosed {
        guard await send(segment) else { return .later }
      }
      growingLines = next.growing
      lines.done(next)
    }
    let isHeldUp = index.isHeldUp
    switch look(isOver: isOver) {
    // What stayed a moment ago goes now: whoever asks again finds it. So does what could not be read.
    case .everything: return hasHeldBack || isOver && !isClosed && lines.hasMore(&index) ? .later : .done
    case .unknown: return .later
    case .within:
      // Whoever closed it takes nothing that somebody might still want.
      guard !isClosed else { return .done }
      let hasMore = hasMore
      // What could not be read may be wanted: as long as that is so, nothing is said to have been sent.
      return isHeldUp || index.isHeldUp ? .later : hasMore ? .kept : .done
    }
  }

  /// A rotated key, replays that are switched off for a while, or a quota of today say nothing about what stays on the device for weeks.
  private var keeps: Bool { mayGo() != .everything }

  private func look(isOver: Bool) -> MayGo {
    let mayGo = mayGo()
    if mayGo != .everything { hasHeldBack = true }
    // Nobody knows what will be on the screen: a stretch names nothing before it begins.
    guard !isOver, case .within(let stretches) = mayGo else { return mayGo }
    let now = time()
    return .within(stretches.filter { $0.lowerBound <= now })
  }

  private func nextLines(_ mayGo: MayGo, takesAll: Bool, endedAt: Int64?) -> LineSegments.Next? {
    switch mayGo {
    case .unknown: nil
    case .everything: lines.next(isOver: takesAll, now: time(), after: growingLines)
    case .within:
      lines.next(
        isOver: takesAll, now: time(), after: growingLines, within: mayGo, endedAt: endedAt, &index)
    }
  }

  private var hasMore: Bool {
    directory.frameFiles().contains { !stuck.contains($0.number) } || lines.hasMore(&index)
  }

  /// What becomes of a session that is over.
  enum Fate: Sendable, Equatable {
    /// The collector has all that it will ever get, and knows that it is over: its files may go.
    case concluded
    /// Nobody wants the rest yet.
    case kept
    /// Something has to be tried again later.
    case left
  }

  /// Uploads what is left and may go, and tells the end of what the collector has heard of.
  ///
  /// The end is told as soon as the session is over: of one that has ended the collector still takes what is from before its end.
  ///
  /// - Parameters:
  ///   - owner: who finishes it.
  ///   - isExpired: whether nobody will want the rest any more, given what has been sent.
  func conclude(
    _ ending: ReplayEnding, session: SessionRecord, checkpoint: Checkpoint?, owner: String,
    isExpired: (KeptSession) -> Bool = { _ in false }
  ) async -> Fate {
    let mayGo = mayGo()
    let before = KeptSession.read(directory)
    hasToldEnd = before?.hasToldEnd ?? false
    let endedAt = ending.time(of: session, directory)
    var kept = KeptSession(owner: owner, record: session, endedAt: endedAt)
    // Also as long as nothing can be sent, what nobody wants makes room, and goes after some days.
    if mayGo.keeps, before == nil { kept.write(directory) }
    let progress = await drain(isOver: true, endedAt: endedAt)
    // As long as that lasts it stays as long as without a network, and no longer.
    guard progress != .later else { return refusal.isNew && isExpired(kept) ? .concluded : .left }
    kept.hasToldEnd = hasToldEnd
    // Rules may have come while it uploaded; and a full disk takes no announcement.
    let isSecret =
      (mayGo.keeps || progress == .kept) && !directory.isAnnounced && metrics.segmentsUploaded == 0
    if !isSecret, !kept.hasToldEnd {
      guard await tellEnd(ending, session: session, checkpoint: checkpoint) else {
        return refusal.isNew && isExpired(kept) ? .concluded : .left
      }
      kept.hasToldEnd = true
    }
    // What has been named since is looked for again.
    kept.sent = mayGo.keeps ? mayGo.clamped(to: kept.time) : []
    guard progress == .kept, !isExpired(kept) else { return .concluded }
    if kept != before { kept.write(directory) }
    return .kept
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
    let answer = await upload.end([
      "sessionId": session.id, "telemetrySessionIds": counts.telemetrySessionIds, "startedAt": session.startedAt,
      "endedAt": ending.endedAt, "totalBackgroundTimeMs": ending.totalBackgroundMs,
      "endReason": ending.reason.rawValue, "timingVersion": 3, "closeAnchorAtMs": ending.closeAnchorAt,
      "metrics": numbers,
    ])
    switch answer {
    case .told: return true
    case .later: return false
    case .refused where !keeps: return true
    case .refused, .stranger:
      refusal.begin(at: time())
      return false
    }
  }

  /// - Returns: false when the segment stays for later.
  private func send(_ segment: Segment) async -> Bool {
    var waiting = [segment]
    while let segment = waiting.popLast() {
      guard await gate.isOpen, !Task.isCancelled else { return false }
      directory.announce()
      switch await upload.upload(segment) {
      case .uploaded(let bytes):
        metrics.segmentsUploaded += 1
        metrics.bytesUploaded += bytes
        refusal = UploadPause()
      case .later: return false
      case .stranger:
        refusal.begin(at: time())
        return false
      case .denied where keeps, .quota where keeps:
        refusal.begin(at: time())
        return false
      // One segment, for a reason that the collector gives: the others go on.
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
      case .closed where hasToldEnd: drop(segment)
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
  /// What became of the word that a session is over.
  enum End: Sendable {
    /// The collector knows, or will never want to.
    case told
    case later
    /// Not from this device, now.
    case refused
    /// Somebody else answered.
    case stranger

    var isTold: Bool { self == .told }
  }

  func end(_ body: [String: Any]) async -> End {
    let ended = await step { await ingest.post("/api/ingest/session/end", body) }
    guard case .failure(let outcome) = ended else { return .told }
    switch outcome {
    case .later: return .later
    case .stranger, .unknown(byCollector: false): return .stranger
    case .denied, .quota: return .refused
    default: return .told
    }
  }
}
