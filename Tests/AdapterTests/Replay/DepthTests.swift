import Testing
import UIKit

@testable import AutoMobileReplay

/// What is not in the plane of the screen is drawn elsewhere than a conversion of coordinates says.
@MainActor @Suite(.serialized) struct `What leaves the plane of the screen` {
  private let clip = CGRect(x: 20, y: 200, width: 350, height: 400)

  private func record(_ build: (UIView) -> Void) throws -> (seen: Int, covered: Int) {
    let recorded = RecordedScreen()
    defer { recorded.end() }
    let box = UIView(frame: clip)
    box.clipsToBounds = true
    recorded.window.addSubview(box)
    build(box)
    recorded.record()
    #expect(recorded.frames.count == 1)
    return (try recorded.secretPixels(), try recorded.maskedPixels())
  }

  private var all: CGFloat { 0.64 * clip.width * clip.height }
  private var near: CATransform3D { CATransform3DMakeTranslation(0, 0, 200) }

  private func field() -> UITextField { Secret.field(CGRect(x: 20, y: 20, width: 100, height: 40)) }

  @Test func `in a perspective, what is masked is covered up to what clips`() throws {
    let itself = try record { box in
      let stage = UIView(frame: box.bounds)
      stage.layer.sublayerTransform.m34 = -1 / 400
      let field = field()
      field.frame.origin = CGPoint(x: 100, y: 160)
      field.layer.transform = near
      stage.addSubview(field)
      box.addSubview(stage)
    }
    #expect(itself.seen == 0 && CGFloat(itself.covered) >= all)
    let inside = try record { box in
      let stage = UIView(frame: box.bounds)
      stage.layer.sublayerTransform.m34 = -1 / 400
      let card = UIView(frame: CGRect(x: 60, y: 100, width: 200, height: 100))
      card.clipsToBounds = true
      card.layer.transform = near
      card.addSubview(field())
      stage.addSubview(card)
      box.addSubview(stage)
    }
    #expect(inside.seen == 0 && CGFloat(inside.covered) >= all)
  }

  @Test func `a layer for transforms clips nothing`() throws {
    let result = try record { box in
      let stage = TransformView(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
      stage.clipsToBounds = true
      stage.addSubview(Secret.field(CGRect(x: 100, y: 100, width: 100, height: 40)))
      box.addSubview(stage)
    }
    #expect(result.seen == 0 && result.covered > 100)
  }

  @Test func `what is turned in the plane is covered where it is`() throws {
    let result = try record { box in
      let field = field()
      field.transform = CGAffineTransform(rotationAngle: 0.3)
      box.addSubview(field)
    }
    #expect(result.seen == 0 && CGFloat(result.covered) < all / 4)
  }
}

private final class TransformView: UIView {
  override class var layerClass: AnyClass { CATransformLayer.self }
}
