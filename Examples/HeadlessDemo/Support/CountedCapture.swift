import AutoMobileReplay
import AutoMobileSDK
import Foundation

/// The capture of this platform, with a count of what it handed over, kept as the one of recording calls: by somebody who
/// knows nothing of the recorder.
struct CountedCapture: ReplayCapture {
  private let capture = ScreenCapture.live { AutoMobileSDK.shared.currentScreenName }
  private let witness: Witness

  /// The witness's counters for when the replay was ended by the app itself, and for whether there are screens at all.
  static let stopTime = 5
  private static let hasScreens = 6

  static func install(_ witness: Witness?) {
    guard let witness else { return }
    witness.set(hasScreens, to: 1)
    let counted = CountedCapture(witness: witness)
    SystemCapture.maker.withLock { $0 = { counted } }
  }

  private init(witness: Witness) { self.witness = witness }

  func start(_ settings: CaptureSettings, sink: any ReplaySink) {
    capture.start(settings, sink: CountingSink(sink, witness))
  }
  func pause() { capture.pause() }
  func resume() { capture.resume() }
  func requestKeyFrame() { capture.requestKeyFrame() }
  func stop() { capture.stop() }
}

/// Counts frames, their bytes, and what pictures of the whole screen would have taken, three a second; and tells the last
/// one's size and time, for whoever knows how long it stood.
///
/// `@unchecked Sendable`: called on capture's own queue, one call at a time; so each counter has one writer, too.
private final class CountingSink: ReplaySink, @unchecked Sendable {
  private let sink: any ReplaySink
  private let witness: Witness
  private let player = PictureCodecs.system.map { FramePlayer(codec: $0) }
  private var last: (time: Int64, fullBytes: Int)?

  init(_ sink: any ReplaySink, _ witness: Witness) {
    self.sink = sink
    self.witness = witness
  }

  func accept(_ frame: ReplayFrame) {
    sink.accept(frame)
    witness.returned(0)
    witness.add(frame.bytes.count, to: 1)
    // As long as a picture stood, it would have been taken again and again.
    if let last { witness.add(last.fullBytes * max(0, Int((frame.timestamp - last.time + 166) / 333) - 1), to: 2) }
    let size = fullBytes(frame)
    witness.add(size, to: 2)
    last = (frame.timestamp, size)
    witness.set(3, to: size)
    witness.set(4, to: Int(frame.timestamp))
  }

  func accept(_ snapshot: ReplaySnapshot) { sink.accept(snapshot) }
  func dropped(_ loss: CaptureLoss) { sink.dropped(loss) }

  /// Of a JPEG of the whole screen, as it is shown after this frame.
  private func fullBytes(_ frame: ReplayFrame) -> Int {
    var reader = FrameReader(frame.bytes)
    guard let player, let record = try? reader.next(), let picture = try? player.show(record) else { return 0 }
    let quality = CaptureSettings().quality
    return PictureCodecs.jpeg?.encode(picture.pixels, width: picture.width, height: picture.height, quality: quality)?
      .count ?? 0
  }
}
