import ReplayTesting
import UIKit

@testable import AutoMobileInterface

/// Touches what is on the screens, and looks for the secret in what is told of that.
extension ScreenMonkey {
  func tap() {
    guard let window = scenes.flatMap(\.windows).randomElement(using: &random) else { return }
    var point = CGPoint(
      x: Double.random(in: 0...max(1, window.bounds.width), using: &random),
      y: Double.random(in: 0...max(1, window.bounds.height), using: &random))
    // Mostly where there is something to tell.
    let here = secrets.filter { $0.window === window }
    if Int.random(in: 0..<4, using: &random) > 0, let secret = here.randomElement(using: &random) {
      point = secret.convert(CGPoint(x: secret.bounds.midX, y: secret.bounds.midY), to: window)
    }
    guard point.x.isFinite, point.y.isFinite, let view = window.hitTest(point, with: nil) else { return }
    let told = TapTarget(view, at: point).properties.values
    findings.taps += 1
    if view !== window { findings.hits += 1 }
    if told.contains(where: { $0.contains(Secret.text) }) { findings.tellingTaps.append(findings.frames) }
  }
}
