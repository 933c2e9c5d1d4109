import Foundation
import ReplayTesting
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// A minute of each screen, three frames a second, against a JPEG of the whole screen for each frame.
@MainActor func measureReplayBytes(_ report: Report) {
  report.heading("Bytes of a minute of replay, and the part of what full frames of the same quality have")
  let screens: [(screen: SyntheticScreen, target: Double?)] = [
    (.form(), 1.0 / 50), (.typing(), 1.0 / 20), (.list(by: 75, "scrolling, by whole pixels"), 1.0 / 3),
    (.list(by: 73, "scrolling, by parts of a pixel"), nil), (.video(isFull: false), 1.1), (.video(isFull: true), 1.1),
  ]
  for (screen, target) in screens {
    let frames = Measurement.isShort ? 30 : 180
    guard let bytes = try? ReplayBytes.measure(screen, frames: frames) else {
      report.expect("\(screen.name) is recorded and played", false)
      continue
    }
    report.expect("\(screen.name): key frames", bytes.keyFrames, in: 1...frames)
    report.expect("\(screen.name): records", bytes.records, in: bytes.keyFrames...frames)
    // What is played shows what was drawn.
    report.expect("\(screen.name): the picture is the screen's (\(bytes.worstPSNR) dB)", bytes.worstPSNR > 20)
    let verdict = target.map { bytes.share <= $0 ? "ok" : "MISSED" } ?? "no target"
    print(
      "  \(screen.name): \(bytes.bytes) of \(bytes.fullBytes) bytes, \(String(format: "%.4f", bytes.share)) (\(verdict)),",
      "\(bytes.records) records, \(bytes.keyFrames) key frames, \(bytes.moves) moves,",
      String(format: "PSNR at least %.1f dB, of full frames %.1f dB", bytes.worstPSNR, bytes.worstFullPSNR))
  }
}

/// All that a frame adds to the main thread beside the drawing: 500 views are looked at two frames of the display earlier, before it and,
/// where anything is animated, after it, where they are shown and where they will be, and all that is compared. Beside it, in the same run, the views alone.
@MainActor func measureMasks(_ report: Report) {
  for (name, fields, isMoving) in [
    ("nothing masked", 0, false), ("20 fields", 20, false), ("20 fields that move", 20, true),
  ] {
    let (window, button) = tree()
    var views: [UIView] = []
    for index in 0..<fields {
      let field = UITextField(frame: CGRect(x: 0, y: Double(index) * 20, width: 200, height: 18))
      if isMoving { field.layer.simulateAnimation(showing: field.frame.offsetBy(dx: 50, dy: 5)) }
      button.superview?.addSubview(field)
      views.append(field)
    }
    for (choice, masking) in [("", ReplayMasking()), (", all choices", .all)] {
      var settings = CaptureSettings()
      settings.masking = masking
      let rules = MaskingRules(settings)
      let memory = MaskMemory()
      let canvases = [ScreenCanvases.Canvas(windows: [window], frame: window.frame)]
      func look() -> MaskLook { MaskLook(at: canvases, rules, uptime: { 0 }, notice: { _ in }) }
      report.expect("\(name)\(choice): fields that are masked", MaskWalk(window, rules).places.count >= fields)
      let frame = threadTime(300) {
        memory.expect(look())
        let before = look()
        let after = before.isMoving ? look() : before
        _ = memory.mask(from: before, to: after) { _ in .zero }
      }
      // Here a view draws to tell whether it has contents, where a phone looks at a pointer.
      let target: Double? = choice.isEmpty ? 500_000 : nil
      report.time("main thread: a frame of 500 views, \(name)\(choice)", frame, unit: .µs, target: target)
      report.time("… of which looking once, some time before", threadTime(300) { _ = look() }, unit: .µs)
    }
    report.time("… of which visiting them three times, in the stand-ins", threadTime(300) { visit(window) }, unit: .µs)
    withExtendedLifetime(views) {}
  }
}

/// Of this thread's processor: others that want it, too, are no part of what a frame costs.
private func threadTime(_ samples: Int, _ body: () -> Void) -> Measurement {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  for _ in 0..<20 { body() }
  return Measurement(
    nanoseconds: (0..<Measurement.count(samples)).map { _ in
      let start = now()
      body()
      return now() - start
    })
}

extension ReplayMasking {
  fileprivate static var all: ReplayMasking {
    ReplayMasking(maskAllText: true, maskAllImages: true, maskUnknownViews: true)
  }
}

/// What no walk can do without.
@MainActor private func visit(_ window: UIWindow) {
  for _ in 0..<3 {
    var rest: [UIView] = [window]
    while let view = rest.popLast() {
      if view.isHidden || view.alpha <= 0 { continue }
      rest += view.subviews
    }
  }
}

/// What a frame costs: our part of the main thread, and the queue's.
@MainActor func measureReplayFrames(_ report: Report) {
  report.heading("A frame of 390 × 844 points, 312 × 675 pixels")
  let scroll = SyntheticScreen.list(by: 75, "scrolling")
  let rules = MaskingRules()
  let walk = Measurement(samples: 100, operations: 5) { count in
    for _ in 0..<count { _ = MaskWalk(scroll.window, rules) }
  }
  report.time("main thread: looking once for what is masked, in a list", walk, unit: .µs)
  measureMasks(report)
  guard let codec = PictureCodecs.system else { return report.expect("a codec", false) }
  let picture = Picture.make(312, 675)
  for screen in [SyntheticScreen.form(), .typing(), scroll, .video(isFull: true)] {
    let encoder = FrameEncoder(codec: codec)
    var number = 0
    var spent: [Double] = []
    var frames = 0
    for _ in 0..<Measurement.count(100) {
      screen.show(number)
      picture.draw(screen.window, pixelsPerPoint: 0.8)
      let start = DispatchTime.now().uptimeNanoseconds
      let frame = encoder.encode(picture, at: Int64(number) * 333)
      spent.append(Double(DispatchTime.now().uptimeNanoseconds - start))
      number += 1
      frames += frame == nil ? 0 : 1
    }
    report.expect("\(screen.name): frames", frames, in: 1...number)
    report.time("queue: \(screen.name)", Measurement(nanoseconds: spent), unit: .µs)
  }
}
