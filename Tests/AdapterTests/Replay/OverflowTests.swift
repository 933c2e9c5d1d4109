import Testing
import UIKit

@testable import AutoMobileReplay

/// What a layer shows beyond its bounds.
@MainActor @Suite(.serialized) struct `What sticks out of a layer` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  private func record(
    _ masking: ReplayMasking = ReplayMasking(), _ build: (UIWindow) -> Void
  ) throws -> (seen: Int, covered: Int) {
    var settings = CaptureSettings()
    settings.masking = masking
    let recorded = RecordedScreen(settings)
    defer { recorded.end() }
    build(recorded.window)
    recorded.record()
    #expect(recorded.frames.count == 1)
    return (try recorded.secretPixels(), try recorded.maskedPixels())
  }

  private func image(_ mode: UIView.ContentMode, _ frame: CGRect) -> UIImageView {
    let view = Secret.image(frame)
    view.contentMode = mode
    return view
  }

  @Test func `an image that fills its view, or is larger, and is not clipped`() throws {
    let small = CGRect(x: 100, y: 300, width: 20, height: 10)
    for (mode, frame) in [
      (UIView.ContentMode.scaleAspectFill, place), (.center, small), (.left, small), (.right, small), (.top, small),
      (.bottom, small),
    ] {
      let shown = try record { $0.addSubview(image(mode, frame)) }
      #expect(CGFloat(shown.seen) > 2 * 0.64 * frame.width * frame.height, "\(mode) sticks out")
      let asked = try record(ReplayMasking(maskAllImages: true)) { $0.addSubview(image(mode, frame)) }
      #expect(asked.seen == 0 && asked.covered > 100, "\(mode)")
      let marked = try record { window in
        let view = image(mode, frame)
        Replay.mask(view)
        window.addSubview(view)
      }
      #expect(marked.seen == 0, "\(mode)")
      let inside = try record { window in
        let box = UIView(frame: frame)
        Replay.mask(box)
        box.addSubview(image(mode, CGRect(origin: .zero, size: frame.size)))
        window.addSubview(box)
      }
      #expect(inside.seen == 0, "\(mode), in something that is masked")
    }
  }

  @Test func `one that is clipped, and one that fits, cover no more than their place`() throws {
    for mode in [UIView.ContentMode.scaleAspectFill, .center, .scaleAspectFit, .scaleToFill] {
      let result = try record(ReplayMasking(maskAllImages: true)) { window in
        let view = image(mode, place)
        view.clipsToBounds = mode == .scaleAspectFill || mode == .center
        window.addSubview(view)
      }
      #expect(result.seen == 0 && CGFloat(result.covered) < 0.64 * (place.width + 4) * (place.height + 4))
    }
  }

  @Test func `contents of unknown size cover all up to what clips`() throws {
    let box = CGRect(x: 20, y: 200, width: 350, height: 400)
    let result = try record(ReplayMasking(maskAllImages: true)) { window in
      let clip = UIView(frame: box)
      clip.clipsToBounds = true
      let layer = CALayer()
      layer.frame = CGRect(x: 10, y: 10, width: 20, height: 20)
      layer.contents = "an image"
      layer.contentsGravity = .center
      clip.layer.addSublayer(layer)
      window.addSubview(clip)
    }
    #expect(CGFloat(result.covered) >= 0.64 * box.width * box.height)
  }
}
