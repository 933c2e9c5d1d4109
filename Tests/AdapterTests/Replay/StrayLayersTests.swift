import Testing
import UIKit

@testable import AutoMobileReplay

/// What is on the screen without being in the tree of views.
@MainActor @Suite(.serialized) struct `Layers without their views` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)
  private let screen = CGRect(x: 0, y: 0, width: 390, height: 844)

  /// - Returns: how many pixels of the secret are seen, and how many are covered.
  private func record(
    _ masking: ReplayMasking = ReplayMasking(), _ build: (UIWindow) -> Void
  ) throws -> (seen: Int, covered: Int) {
    var settings = CaptureSettings()
    settings.masking = masking
    let recorded = RecordedScreen(settings)
    defer { recorded.end() }
    build(recorded.window)
    recorded.record()
    #expect(recorded.frames.count == 1 && !recorded.textIsRecorded)
    return (try recorded.secretPixels(), try recorded.maskedPixels())
  }

  @Test(arguments: [false, true])
  func `a view that is shown by its layer alone`(isDeep: Bool) throws {
    let field = Secret.field(place)
    let plain = try record { window in
      let box = UIView(frame: screen)
      box.addSubview(UIView(frame: .zero))
      window.addSubview(box)
      guard isDeep else { return box.layer.addSublayer(field.layer) }
      let between = CALayer()
      between.frame = screen
      between.addSublayer(field.layer)
      box.layer.addSublayer(between)
    }
    #expect(plain.seen == 0 && plain.covered > 100)
    // A field for passwords is covered also where the app shows everything.
    let secure = Secret.field(place, isSecure: true)
    let unmasked = try record { window in
      let box = UIView(frame: screen)
      Replay.unmask(box)
      window.addSubview(box)
      box.layer.addSublayer(secure.layer)
    }
    #expect(unmasked.seen == 0 && unmasked.covered > 100)
  }

  @Test func `a view that one view has and another one shows`() throws {
    let field = Secret.field(place)
    let result = try record { window in
      let (owner, other) = (UIView(frame: .zero), UIView(frame: screen))
      owner.clipsToBounds = true
      window.addSubview(owner)
      window.addSubview(other)
      owner.addSubview(field)
      // Each shows as many layers as it has views.
      let own = UIView(frame: .zero)
      other.addSubview(own)
      owner.layer.addSublayer(own.layer)
      other.layer.addSublayer(field.layer)
    }
    #expect(result.seen == 0 && result.covered > 100)
  }

  @Test func `a text as a mask of something else`() throws {
    let build: (UIWindow) -> Void = { window in
      let coloured = UIView(frame: place)
      coloured.backgroundColor = Secret.colour
      coloured.mask = Secret.label(CGRect(origin: .zero, size: place.size))
      window.addSubview(coloured)
    }
    #expect(try record(ReplayMasking(), build).seen > 20, "by default texts are shown")
    let covered = try record(ReplayMasking(maskAllText: true), build)
    #expect(covered.seen == 0 && covered.covered > 100)
    let field = try record { window in
      let coloured = UIView(frame: place)
      coloured.backgroundColor = Secret.colour
      coloured.mask = Secret.field(CGRect(origin: .zero, size: place.size))
      window.addSubview(coloured)
    }
    #expect(field.seen == 0 && field.covered > 100)
  }

  @Test func `copies of what is masked cover all where they may be`() throws {
    let box = CGRect(x: 20, y: 200, width: 350, height: 400)
    func replicate(_ content: UIView) throws -> (seen: Int, covered: Int) {
      try record { window in
        let clip = UIView(frame: box)
        clip.clipsToBounds = true
        let copies = ReplicatorView(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
        copies.addSubview(content)
        clip.addSubview(copies)
        window.addSubview(clip)
      }
    }
    let area = 0.64 * box.width * box.height
    let field = try replicate(Secret.field(CGRect(x: 0, y: 0, width: 100, height: 40)))
    #expect(field.seen == 0 && CGFloat(field.covered) >= area)
    #expect(try replicate(UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 40))).covered == 0)
    let layer = try record { window in
      let clip = UIView(frame: box)
      clip.clipsToBounds = true
      let copies = CAReplicatorLayer()
      copies.frame = CGRect(x: 0, y: 0, width: 100, height: 40)
      copies.addSublayer(AVCaptureVideoPreviewLayer())
      clip.layer.addSublayer(copies)
      window.addSubview(clip)
    }
    #expect(CGFloat(layer.covered) >= area)
  }

  @Test func `a camera in an image, a label or a button, and below a layer`() throws {
    func camera(in view: UIView, isDeep: Bool = false) throws -> Int {
      try record { window in
        let camera = AVCaptureVideoPreviewLayer()
        camera.frame = CGRect(origin: .zero, size: place.size)
        if isDeep {
          let between = CALayer()
          between.frame = camera.frame
          between.addSublayer(camera)
          view.layer.addSublayer(between)
        } else {
          view.layer.addSublayer(camera)
        }
        window.addSubview(view)
      }.covered
    }
    for view in [UIImageView(frame: place), UILabel(frame: place), UIButton(frame: place)] {
      #expect(try camera(in: view) > 1000)
    }
    #expect(try camera(in: UIView(frame: place), isDeep: true) > 1000)
    #expect(try camera(in: UIImageView(frame: place), isDeep: true) > 1000)
  }

  @Test(arguments: ["contents", "a key of the app's own"])
  func `an image that fades away is one, also when it is gone from its layer`(key: String) throws {
    let build: (UIWindow) -> Void = { window in
      let layer = DrawingLayer()
      layer.frame = place
      layer.add(CABasicAnimation(keyPath: "contents"), forKey: key)
      window.layer.addSublayer(layer)
    }
    #expect(try record(ReplayMasking(), build).seen > 20)
    let covered = try record(ReplayMasking(maskAllImages: true), build)
    #expect(covered.seen == 0 && covered.covered > 100)
    let view = try record(ReplayMasking(maskAllImages: true)) { window in
      let view = UIView(frame: place)
      view.layer.add(CABasicAnimation(keyPath: "contents"), forKey: key)
      window.addSubview(view)
    }
    #expect(view.covered > 100)
  }

  @Test func `a transition of a layer without a view, and what sticks out of it`() throws {
    let result = try record { window in
      let layer = CALayer()
      layer.frame = place.offsetBy(dx: 0, dy: 100)
      let text = DrawingLayer()
      text.frame = CGRect(x: 0, y: -100, width: 200, height: 60)
      layer.addSublayer(text)
      layer.add(CATransition(), forKey: nil)
      window.layer.addSublayer(layer)
    }
    #expect(result.seen == 0 && result.covered > 2 * 160 * 40)
  }

  @Test func `what is about to clip does not clip yet`() throws {
    let result = try record { window in
      let box = UIView(frame: CGRect(x: 40, y: 100, width: 200, height: 100))
      box.clipsToBounds = true
      box.layer.simulateAnimation(masksToBounds: false)
      box.addSubview(Secret.field(CGRect(x: 0, y: 200, width: 200, height: 60)))
      window.addSubview(box)
    }
    #expect(result.seen == 0 && result.covered > 100)
    let masked = try record { window in
      let box = UIView(frame: CGRect(x: 40, y: 100, width: 200, height: 100))
      box.clipsToBounds = true
      box.layer.simulateAnimation(masksToBounds: false)
      Replay.mask(box)
      box.addSubview(Secret.label(CGRect(x: 0, y: 200, width: 200, height: 60)))
      window.addSubview(box)
    }
    #expect(masked.seen == 0 && masked.covered > 100)
  }
}

/// By the name that it has in Core Animation; here it makes no copies.
class CAReplicatorLayer: CALayer {}
