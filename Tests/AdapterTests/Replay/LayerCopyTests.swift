import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// Core Animation copies a layer, and all that it is in, for whoever asks what is shown of it. Of some of the app's that ends the process:
/// here, too.
@MainActor @Suite(.serialized) struct `Layers that must not be copied` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)
  private let screen = CGRect(x: 0, y: 0, width: 390, height: 844)

  private func record(_ build: (UIWindow) -> Void) throws -> (seen: Int, covered: Int) {
    let recorded = RecordedScreen()
    defer { recorded.end() }
    build(recorded.window)
    recorded.record()
    #expect(recorded.frames.count == 1 && recorded.lines.count == 1 && !recorded.textIsRecorded)
    return (try recorded.secretPixels(), try recorded.maskedPixels())
  }

  @Test func `where nothing is animated, what is masked is covered in its place`() throws {
    let result = try record { window in
      let box = GradientView(frame: screen)
      box.clipsToBounds = true
      box.addSubview(Secret.field(place))
      box.layer.addSublayer(GradientLayer(steps: 3))
      let hidden = GradientView(frame: place)
      hidden.isHidden = true
      box.addSubview(hidden)
      let masked = GradientView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
      Replay.mask(masked)
      masked.addSubview(Secret.label(place))
      box.addSubview(masked)
      window.addSubview(box)
    }
    #expect(result.seen == 0 && (100..<30_000).contains(result.covered))
  }

  @Test func `where something is, all of it up to what clips is covered`() throws {
    let clip = CGRect(x: 20, y: 200, width: 350, height: 400)
    func animated(_ build: (UIView) -> UIView) throws -> (seen: Int, covered: Int) {
      try record { window in
        let box = UIView(frame: clip)
        box.clipsToBounds = true
        window.addSubview(box)
        let view = build(box)
        view.layer.simulateAnimation(showing: CGRect(x: 30, y: 150, width: 200, height: 60))
      }
    }
    let area = 0.64 * clip.width * clip.height
    let itself = try animated { box in
      let view = GradientView(frame: CGRect(x: 0, y: 0, width: 200, height: 60))
      view.addSubview(Secret.label(view.bounds))
      Replay.mask(view)
      box.addSubview(view)
      return view
    }
    #expect(itself.seen == 0 && CGFloat(itself.covered) >= area)
    let inIt = try animated { box in
      let view = GradientView(frame: CGRect(x: 0, y: 0, width: 200, height: 60))
      view.clipsToBounds = true
      view.addSubview(Secret.field(view.bounds))
      box.addSubview(view)
      return view
    }
    #expect(inIt.seen == 0 && CGFloat(inIt.covered) >= area)
    let below = try animated { box in
      let view = GradientView(frame: box.bounds)
      let field = Secret.field(CGRect(x: 0, y: 0, width: 200, height: 60))
      view.addSubview(field)
      box.addSubview(view)
      return field
    }
    #expect(below.seen == 0 && CGFloat(below.covered) >= area)
    let fading = try record { window in
      let view = GradientView(frame: place)
      view.addSubview(Secret.label(view.bounds))
      Replay.mask(view)
      window.addSubview(view)
      view.alpha = 0
      view.layer.simulateAnimation(opacity: 0.7)
    }
    #expect(fading.seen == 0 && fading.covered > 100)
  }

  @Test func `a layer without a view, a mask, a replicator, and a range that is unmasked`() throws {
    let result = try record { window in
      let box = UIView(frame: screen)
      window.addSubview(box)
      let between = GradientLayer(steps: 2)
      between.frame = screen
      between.addSublayer(Secret.field(place).layer)
      between.simulateAnimation(showing: screen.offsetBy(dx: 0, dy: 30))
      box.layer.addSublayer(between)
      box.layer.mask = GradientLayer(steps: 1)
      box.layer.mask?.frame = screen
      box.layer.mask?.opacity = 0
      box.layer.mask?.simulateAnimation(opacity: 0.5)
      let (begin, end) = (UIView(frame: place), UIView(frame: place))
      MaskMarks.shared.set(.unmasksFromHere, for: begin)
      MaskMarks.shared.set(.unmasksToHere, for: end)
      let marked = GradientView(frame: screen)
      [begin, Secret.field(place), end].forEach(marked.addSubview)
      marked.layer.simulateAnimation(opacity: 0.9)
      window.addSubview(marked)
    }
    #expect(result.seen == 0 && result.covered > 100)
  }

  @Test func `classes of the system are asked, those of the app are not`() {
    #expect(ViewTypes.facts(CALayer()).canBeCopied)
    #expect(!ViewTypes.facts(GradientLayer(steps: 1)).canBeCopied)
    let view = GradientView(frame: place)
    let label = UILabel(frame: place)
    view.addSubview(label)
    #expect(LayerPath(to: label.layer).isKnown)
    #expect(LayerPath(to: label.layer).shown(label.layer) === label.layer)
    view.layer.simulateAnimation(opacity: 0.5)
    #expect(!LayerPath(to: label.layer).isKnown && LayerPath(to: label.layer).shown(label.layer) == nil)
  }
}

/// Has an initializer of its own, and forgot `init(layer:)`.
private final class GradientLayer: CALayer, SimulatedWithoutCopies {
  private let steps: Int

  init(steps: Int) {
    self.steps = steps
    super.init()
  }

  required init() {
    steps = 0
    super.init()
  }
}

private final class GradientView: UIView {
  override class var layerClass: AnyClass { GradientLayer.self }
}
