import AutoMobileRecorder
import AutoMobileSupport
import Dispatch
import Foundation

/// The one queue on which pictures are covered, compared and encoded, in the order in which they were taken.
final class FrameEncoding: @unchecked Sendable {
  // Unchecked: `encoder`, `session` and `hierarchy` are touched on `queue` only.
  private let codec: (any PictureCodec)?
  private let control: CaptureControl
  private let queue: DispatchQueue
  private let pool = PicturePool(limit: FrameEncoding.maximumPictures)
  private var session: CaptureSession?
  private var encoder: FrameEncoder?
  private var hierarchy = HierarchyRecorder()
  private let waitingSnapshots = Locked(0)

  /// Pictures that are drawn, wait, or are being encoded: with 800 KB each, this is what memory allows.
  static let maximumPictures = 4
  /// Snapshots that wait; one that finds no place is made up for by the next.
  static let maximumSnapshots = 4

  init(codec: (any PictureCodec)?, control: CaptureControl, queue: DispatchQueue) {
    self.codec = codec
    self.control = control
    self.queue = queue
  }

  var canEncode: Bool { codec != nil }

  /// A picture to draw on; nil when encoding does not keep up.
  func picture(width: Int, height: Int) -> Picture? { pool.take(width: width, height: height) }

  /// It was not drawn after all.
  func giveBack(_ picture: Picture) { pool.giveBack(picture) }

  func encode(_ picture: Picture, _ mask: ScreenMask, at timestamp: Int64, for session: CaptureSession) {
    // Those that were dropped before this one, not those that will be while it waits.
    let part = session.endLosses()
    queue.async { [self] in
      defer { pool.giveBack(picture) }
      guard control.isCurrent(session), let encoder = encoder(for: session) else { return }
      let pixelsPerPoint = 1 / session.settings.pointsPerPixel
      // Before anything else looks at it.
      mask.paint(on: picture, pixelsPerPoint: pixelsPerPoint)
      tell(session.takeLosses(of: part), of: session, encoder)
      if session.takeKeyFrameWish() { encoder.needKeyFrame() }
      let frame = encoder.encode(picture, at: timestamp)
      guard control.isCurrent(session) else { return }
      // The next record says so in any case; the session's end would not.
      if encoder.takeFailure() { session.sink.dropped(CaptureLoss(frames: 1, reason: .slow, since: timestamp)) }
      if let frame { session.sink.accept(frame) }
    }
  }

  /// Of frames that no later one has told of.
  func tellLosses(of session: CaptureSession) {
    guard session.lostFrames > 0 else { return }
    let part = session.endLosses()
    queue.async { [self] in
      guard control.isCurrent(session), let encoder = encoder(for: session) else { return }
      tell(session.takeLosses(of: part), of: session, encoder)
    }
  }

  private func tell(_ losses: [CaptureLoss], of session: CaptureSession, _ encoder: FrameEncoder) {
    for loss in losses {
      encoder.noteDropped(loss.frames)
      session.sink.dropped(loss)
    }
  }

  func record(_ snapshot: HierarchySnapshot, at timestamp: Int64, for session: CaptureSession) {
    let isTaken = waitingSnapshots.withLock { waiting in
      guard waiting < Self.maximumSnapshots else { return false }
      waiting += 1
      return true
    }
    guard isTaken else { return }
    queue.async { [self] in
      defer { waitingSnapshots.withLock { $0 -= 1 } }
      guard control.isCurrent(session) else { return }
      enter(session)
      guard let line = hierarchy.record(snapshot, at: timestamp) else { return }
      session.sink.accept(line)
    }
  }

  private func encoder(for session: CaptureSession) -> FrameEncoder? {
    enter(session)
    return encoder
  }

  private func enter(_ session: CaptureSession) {
    guard self.session !== session else { return }
    self.session = session
    hierarchy.forget()
    var options = FrameEncoder.Options()
    options.quality = session.settings.quality
    options.pixelsPerPoint = 1 / session.settings.pointsPerPixel
    encoder = codec.map { FrameEncoder(codec: $0, options: options) }
  }
}

extension CaptureSettings {
  /// The scale, where it makes sense.
  var pointsPerPixel: Double { scale.isFinite && (0.25...8).contains(scale) ? scale : 1.25 }
}
