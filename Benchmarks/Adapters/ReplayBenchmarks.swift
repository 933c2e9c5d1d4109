import Foundation
import ReplayTesting
import UIKit

@testable import AutoMobileReplay
@testable import AutoMobileSDK

/// A minute of each screen, three frames a second, against a JPEG of the whole screen for each frame.
@MainActor func measureReplayBytes(_ report: Report) {
  report.heading("Bytes of a minute of replay, and the part of what full frames of the same quality have")
  let screens: [(screen: SyntheticScreen, target: Double?)] = [
    (.form(), 1.0 / 50), (.typing(), 1.0 / 20), (.list(by: 75, "scrolling, by whole pixels"), 1.0 / 3),
    (.list(by: 73, "scrolling, by parts of a pixel"), nil), (.video(isFull: false), 1.1), (.video(isFull: true), 1.1),
  ]
  for (screen, target) in screens {
    guard let bytes = try? ReplayBytes.measure(screen, frames: 180) else { continue }
    let verdict = target.map { bytes.share <= $0 ? "ok" : "MISSED" } ?? "no target"
    print(
      "  \(screen.name): \(bytes.bytes) of \(bytes.fullBytes) bytes, \(String(format: "%.4f", bytes.share)) (\(verdict)),",
      "\(bytes.records) records, \(bytes.keyFrames) key frames, \(bytes.moves) moves,",
      String(format: "PSNR at least %.1f dB, of full frames %.1f dB", bytes.worstPSNR, bytes.worstFullPSNR))
  }
}

/// What a frame costs: our part of the main thread, and the queue's.
@MainActor func measureReplayFrames(_ report: Report) {
  report.heading("A frame of 390 × 844 points, 312 × 675 pixels")
  let scroll = SyntheticScreen.list(by: 75, "scrolling")
  let rules = MaskingRules()
  let walk = Measurement(samples: 100, operations: 5) { count in
    for _ in 0..<count { _ = ScreenMask(scroll.window, rules) }
  }
  report.time("main thread: looking for what is masked (twice for each frame)", walk, unit: .µs, target: 500_000)
  guard let codec = PictureCodecs.system else { return }
  let picture = Picture.make(312, 675)
  for screen in [SyntheticScreen.form(), .typing(), scroll, .video(isFull: true)] {
    let encoder = FrameEncoder(codec: codec)
    var number = 0
    var spent: [Double] = []
    for _ in 0..<100 {
      screen.show(number)
      picture.draw(screen.window, pixelsPerPoint: 0.8)
      let start = DispatchTime.now().uptimeNanoseconds
      _ = encoder.encode(picture, at: Int64(number) * 333)
      spent.append(Double(DispatchTime.now().uptimeNanoseconds - start))
      number += 1
    }
    report.time("queue: \(screen.name)", Measurement(nanoseconds: spent), unit: .µs)
  }
}
