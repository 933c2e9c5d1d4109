import SwiftUI
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// The table in *Masking*: each kind of view, by the name that it has on a device, under each choice.
@MainActor @Suite(.serialized) struct `Kinds of views` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  struct Outcome: Equatable {
    var pixels: Bool
    var words: Bool
  }

  private func record(_ masking: ReplayMasking, _ make: () -> UIView) throws -> Outcome {
    var settings = CaptureSettings()
    settings.masking = masking
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    screen.window.addSubview(make())
    screen.record()
    #expect(screen.frames.count == 1)
    return Outcome(pixels: try screen.secretPixels() > 20, words: screen.textIsRecorded)
  }

  private static let choices = [
    ReplayMasking(), ReplayMasking(maskAllText: true), ReplayMasking(maskAllImages: true),
    ReplayMasking(maskUnknownViews: true),
  ]

  /// In which of the four choices its pixels are seen.
  private func seen(_ make: () -> UIView) throws -> [Bool] { try Self.choices.map { try record($0, make).pixels } }

  private func named(_ type: DrawingView.Type) -> () -> UIView { { type.init(frame: place) } }

  @Test func `words`() throws {
    let bars: [() -> UIView] = [
      { Secret.label(place) }, named(CGDrawingView.self), named(UIPickerView.self), named(UIDatePicker.self),
      named(RCTParagraphComponentView.self), named(VKCImageTextSelectionView.self),
      {
        let view = Secret.textView(place)
        view.isEditable = false
        return view
      },
      {
        let view = UIView(frame: place)
        let layer = CATextLayer()
        layer.frame = view.bounds
        view.layer.addSublayer(layer)
        return view
      },
      {
        let view = _UIHostingView(frame: place)
        let layer = CGDrawingLayer()
        layer.frame = view.bounds
        let between = CALayer()
        between.frame = view.bounds
        between.addSublayer(layer)
        view.layer.addSublayer(between)
        return view
      },
    ]
    for (index, make) in bars.enumerated() {
      let seen = try seen(make)
      #expect(seen[0] && !seen[1] && seen[2], "number \(index)")
    }
  }

  @Test func `images`() throws {
    let images: [() -> UIView] = [
      { Secret.image(place) }, named(PlayerView.self), named(MTKView.self), named(SCNView.self),
      named(MetalView.self),
      {
        let view = _UIGraphicsView(frame: place)
        let layer = ImageLayer()
        layer.frame = view.bounds
        view.layer.addSublayer(layer)
        return view
      },
    ]
    for (index, make) in images.enumerated() {
      let seen = try seen(make)
      #expect(seen[0] && seen[1] && !seen[2], "number \(index)")
    }
  }

  @Test func `what is words or images`() throws {
    for make in [named(PDFView.self), named(QLPreviewView.self), named(DrawingView.self), named(ChartView.self)] {
      let seen = try seen(make)
      #expect(seen[0] && !seen[1] && !seen[2])
    }
  }

  @Test func `what is covered by itself`() throws {
    let all: [() -> UIView] = [
      { WKWebView(frame: place) }, named(SFSafariView.self), { CameraView(frame: place) }, named(ARSCNView.self),
      named(PKCanvasView.self), named(_UIReplicantView.self), named(_UIPortalView.self), named(_UIDragPreviewView.self),
      named(_UITextLoupeView.self), named(_UIRemoteView.self), named(_UISceneLayerHostContainerView.self),
      { Secret.field(place) }, { Secret.field(place, isSecure: true) }, { Secret.textView(place) },
    ]
    for (index, make) in all.enumerated() {
      #expect(try seen(make) == [false, false, false, false], "number \(index)")
    }
  }

  @Test func `what nobody knows`() throws {
    let seen = try seen(named(_UIFancyNewView.self))
    #expect(seen[0] && !seen[3])
    // What holds others is none of those: they are looked at one by one.
    let box = try record(ReplayMasking(maskUnknownViews: true)) {
      let box = _UIFancyNewContainer(frame: place)
      box.addSubview(Secret.label(CGRect(origin: .zero, size: place.size)))
      return box
    }
    #expect(box.pixels && box.words)
    let layer = try record(ReplayMasking(maskUnknownViews: true)) {
      let view = UIView(frame: place)
      let layer = FancyNewLayer()
      layer.frame = view.bounds
      view.layer.addSublayer(layer)
      return view
    }
    #expect(!layer.pixels)
  }

  @Test func `a picture of a view, another window, and an alert`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let alert = UIWindow(windowScene: screen.scene)
    let controller = UIAlertController(nibName: nil, bundle: nil)
    alert.rootViewController = controller
    controller.view.addSubview(Secret.field(place))
    screen.record()
    #expect(try screen.secretPixels() == 0)
    #expect(try screen.maskedPixels() > 100)
  }

  @Test func `every text, in one word`() throws {
    let view: () -> UIView = {
      let box = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
      box.addSubview(Secret.label(place))
      let button = UIButton(frame: CGRect(x: 40, y: 400, width: 200, height: 60))
      button.setTitle(Secret.text, for: .normal)
      box.addSubview(button)
      let cell = UITableViewCell(frame: CGRect(x: 0, y: 500, width: 390, height: 60))
      cell.contentView.addSubview(Secret.label(CGRect(x: 0, y: 0, width: 200, height: 40)))
      box.addSubview(cell)
      return box
    }
    #expect(try record(ReplayMasking(), view) == Outcome(pixels: true, words: true))
    #expect(try record(ReplayMasking(maskAllText: true), view) == Outcome(pixels: false, words: false))
    var settings = CaptureSettings()
    settings.mode = .wireframes
    settings.masksTextInput = false
    settings.masking.maskAllText = true
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    screen.window.addSubview(view())
    screen.window.addSubview(Secret.field(CGRect(x: 40, y: 700, width: 200, height: 60)))
    screen.record()
    #expect(screen.lines.count == 1 && !screen.textIsRecorded)
    // Taps say no more than pictures do.
    let cell = UITableViewCell(frame: CGRect(x: 0, y: 0, width: 390, height: 60))
    cell.contentView.addSubview(Secret.label(CGRect(x: 0, y: 0, width: 100, height: 40)))
    cell.accessibilityLabel = Secret.text
    #expect(TapTarget(cell).text == nil && TapTarget(cell).accessibilityLabel == nil)
  }

  @Test func `every text of SwiftUI`() throws {
    for (masking, isSeen) in [(ReplayMasking(), true), (ReplayMasking(maskAllText: true), false)] {
      var settings = CaptureSettings()
      settings.masking = masking
      let recorded = RecordedScreen(settings)
      defer { recorded.end() }
      let screen = SimulatedScreen(VStack { Text(Secret.text) }, in: recorded.window)
      screen.simulateAppearance()
      recorded.record()
      #expect(recorded.textIsRecorded == isSeen)
    }
  }

  // MARK: Lists of classes

  @Test func `classes that the app names`() throws {
    var masking = ReplayMasking()
    masking.mask(classes: [SecretLabel.self])
    #expect(try record(masking) { SecretLabel.make(SecretLabel.self, place) } == Outcome(pixels: false, words: false))
    #expect(
      try record(masking) { SecretLabel.make(SecretestLabel.self, place) } == Outcome(pixels: false, words: false))
    #expect(try record(masking) { Secret.label(place) } == Outcome(pixels: true, words: true))
    masking.unmask(classes: [SecretestLabel.self])
    #expect(try record(masking) { SecretLabel.make(SecretestLabel.self, place) }.pixels, "the nearer one")
    masking.mask(classesNamed: ["SecretestLabel"])
    #expect(try !record(masking) { SecretLabel.make(SecretestLabel.self, place) }.pixels, "covered rather than shown")
  }

  @Test func `classes that may be seen though all texts are covered`() throws {
    var masking = ReplayMasking(maskAllText: true)
    masking.unmask(classes: [SecretLabel.self])
    masking.unmask(classesNamed: ["UITextField"])
    #expect(try record(masking) { SecretLabel.make(SecretLabel.self, place) } == Outcome(pixels: true, words: true))
    #expect(try record(masking) { Secret.field(place) }.pixels)
    #expect(try !record(masking) { Secret.field(place, isSecure: true) }.pixels, "a password stays covered")
    #expect(try !record(masking) { Secret.label(place) }.pixels)
    let inside = try record(masking) {
      let box = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
      Replay.mask(box)
      box.addSubview(SecretLabel.make(SecretLabel.self, place))
      return box
    }
    #expect(inside == Outcome(pixels: false, words: false))
  }

  @Test func `one view decides before its class`() throws {
    var masking = ReplayMasking()
    masking.mask(classes: [SecretLabel.self])
    let shown = try record(masking) {
      let label = SecretLabel.make(SecretLabel.self, place)
      Replay.unmask(label)
      return label
    }
    #expect(shown.pixels)
  }
}

class SecretLabel: UILabel {
  static func make<Label: SecretLabel>(_ type: Label.Type, _ frame: CGRect) -> Label {
    let label = type.init(frame: frame)
    label.text = Secret.text
    label.textColor = Secret.colour
    return label
  }
  required override init(frame: CGRect) { super.init(frame: frame) }
  required init?(coder: NSCoder) { super.init(coder: coder) }
}
final class SecretestLabel: SecretLabel {}

// By the names that they have on a device: none of their frameworks is here.
final class CGDrawingView: DrawingView {}
final class UIPickerView: DrawingView {}
final class UIDatePicker: DrawingView {}
final class RCTParagraphComponentView: DrawingView {}
final class VKCImageTextSelectionView: DrawingView {}
final class MTKView: DrawingView {}
final class SCNView: DrawingView {}
final class PDFView: DrawingView {}
final class QLPreviewView: DrawingView {}
final class ChartView: DrawingView {}
final class SFSafariView: DrawingView {}
final class ARSCNView: DrawingView {}
final class PKCanvasView: DrawingView {}
final class _UIReplicantView: DrawingView {}
final class _UIPortalView: DrawingView {}
final class _UIDragPreviewView: DrawingView {}
final class _UITextLoupeView: DrawingView {}
final class _UIRemoteView: DrawingView {}
final class _UISceneLayerHostContainerView: DrawingView {}
final class _UIFancyNewView: DrawingView {}
final class _UIFancyNewContainer: UIView {}
final class _UIHostingView: UIView {}
final class _UIGraphicsView: UIView {}

final class AVPlayerLayer: CALayer {}
final class PlayerView: DrawingView {
  override class var layerClass: AnyClass { AVPlayerLayer.self }
}
final class CAMetalLayer: CALayer {}
final class MetalView: DrawingView {
  override class var layerClass: AnyClass { CAMetalLayer.self }
}
/// Draws the secret without any view.
class DrawingLayer: CALayer {
  override func draw(in ctx: CGContext) {
    let area = CGRect(origin: .zero, size: bounds.size)
    MainActor.assumeIsolated { Secret.label(area).draw(area) }
  }
}
final class CATextLayer: DrawingLayer {}
final class CGDrawingLayer: DrawingLayer {}
final class ImageLayer: DrawingLayer {}
final class FancyNewLayer: DrawingLayer {}
