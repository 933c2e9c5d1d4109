import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// Glass shows what is behind it, somewhere else.
@MainActor @Suite(.serialized) struct `Glass` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  private func record(_ build: (UIWindow) -> Void) throws -> (seen: Int, covered: Int) {
    let recorded = RecordedScreen()
    defer { recorded.end() }
    recorded.window.addSubview(Secret.field(place))
    build(recorded.window)
    recorded.record()
    #expect(recorded.frames.count == 1)
    return (try recorded.secretPixels(), try recorded.maskedPixels())
  }

  private func glass(_ y: CGFloat, _ filters: [Any]? = nil) -> UIView {
    let view = GlassView(frame: CGRect(x: 0, y: y, width: 390, height: 80))
    view.layer.filters = filters
    return view
  }

  @Test func `that is near what is masked is covered as a whole`() throws {
    for filters in [nil, [], [Filter("glassBackground")], [Filter("gaussianBlur"), Filter("displacementMap")], ["?"]] {
      let result = try record { $0.addSubview(glass(350, filters)) }
      #expect(result.seen == 0 && result.covered > 312 * 64)
    }
    let layer = try record { window in
      let layer = CABackdropLayer()
      layer.frame = CGRect(x: 0, y: 350, width: 390, height: 80)
      window.layer.addSublayer(layer)
    }
    #expect(layer.covered > 312 * 64)
    let portal = try record { window in
      let layer = SDFPortalLayer()
      layer.frame = CGRect(x: 0, y: 350, width: 390, height: 80)
      window.layer.addSublayer(layer)
    }
    #expect(portal.seen == 0 && portal.covered > 312 * 64)
  }

  @Test func `in front of glass that is covered, too, also where it was a moment before`() throws {
    let result = try record { window in
      window.addSubview(glass(420))
      window.addSubview(glass(350))
    }
    #expect(result.seen == 0 && result.covered > 2 * 312 * 60)
    let recorded = RecordedScreen()
    defer { recorded.end() }
    recorded.window.addSubview(Secret.field(place))
    let bar = glass(350)
    recorded.window.addSubview(bar)
    recorded.record(isLate: true) { bar.frame.origin.y = 700 }
    #expect(try recorded.secretPixels() == 0)
  }

  @Test func `that is far away, and what only blurs, is seen`() throws {
    #expect(try record { $0.addSubview(glass(600)) }.seen > 20)
    #expect(try record { $0.addSubview(glass(350, [Filter("gaussianBlur"), Filter("colorSaturate")])) }.seen > 20)
  }
}

private final class Filter: NSObject, SimulatedValues {
  private let type: String
  init(_ type: String) { self.type = type }
  func simulateValue(forKey key: String) -> Any? { key == "type" ? type : nil }
}

/// By the names that they have on a device. What it draws stands for what it bends.
private final class CABackdropLayer: CALayer {}
private final class SDFPortalLayer: DrawingLayer {}
private final class GlassView: DrawingView {
  override class var layerClass: AnyClass { CABackdropLayer.self }
}
