import AutoMobileReplay
import AutoMobileSDK
import Foundation

/// The capture of this platform, with a count of what it handed over, kept as the one of recording calls: by somebody who
/// knows nothing of the recorder.
struct CountedCapture: ReplayCapture {
  private let capture = ScreenCapture.live { AutoMobileSDK.shared.currentScreenName }
  private let witness: Witness

  static func install(_ file: URL?) {
    guard let witness = file.flatMap({ Witness($0) }) else { return }
    let counted = CountedCapture(witness: witness)
    SystemCapture.maker.withLock { $0 = { counted } }
  }

  private init(witness: Witness) { self.witness = witness }

  func start(_ settings: CaptureSettings, sink: any ReplaySink) {
    capture.start(settings, sink: CountingSink(sink: sink, witness: witness))
  }
  func pause() { capture.pause() }
  func resume() { capture.resume() }
  func requestKeyFrame() { capture.requestKeyFrame() }
  func stop() { capture.stop() }
}

/// Called by one queue at a time, so each counter has one writer.
private struct CountingSink: ReplaySink {
  let sink: any ReplaySink
  let witness: Witness

  func accept(_ frame: ReplayFrame) {
    sink.accept(frame)
    witness.returned(0)
  }

  func accept(_ snapshot: ReplaySnapshot) { sink.accept(snapshot) }
  func dropped(_ frames: Int) { sink.dropped(frames) }
}
