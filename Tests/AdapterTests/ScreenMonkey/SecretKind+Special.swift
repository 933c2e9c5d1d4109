import AutoMobileReplay
import UIKit

@testable import AutoMobileInterface

/// Kinds that are masked by what is around them.
extension SecretKind {
  @MainActor func special(_ frame: CGRect) -> UIView {
    let box = LayeredView(frame: frame)
    let bounds = box.bounds
    switch self {
    case .shadow:
      let label = Self.masked(Secret.label(bounds))
      label.backgroundColor = Secret.colour
      box.layer.shadowOpacity = 1
      box.layer.shadowOffset = CGSize(width: 40, height: 130)
      box.layer.shadowColor = Secret.colour.cgColor
      box.addSubview(label)
    case .depth:
      box.layer.sublayerTransform.m34 = -1 / 400
      box.addSubview(Self.coloured(Secret.field(bounds)))
      box.subviews.first?.layer.transform = CATransform3DMakeTranslation(0, 0, 200)
    case .cutOut:
      let view = Self.coloured(UIView(frame: bounds))
      view.mask = Secret.field(bounds)
      box.addSubview(view)
    case .copies:
      box.clipsToBounds = true
      let copies = ReplicatorView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
      copies.addSubview(Secret.field(copies.bounds))
      box.addSubview(copies)
      // Stands for a copy.
      box.addSubview(Self.coloured(UIView(frame: bounds)))
    case .transition:
      // What was there before.
      box.addSubview(DrawingView(frame: bounds))
      box.layer.add(CATransition(), forKey: nil)
    case .shownByLayer:
      let field = Self.coloured(Secret.field(bounds))
      box.others = [field]
      box.layer.addSublayer(field.layer)
    case .passwordInUnmasked:
      Replay.unmask(box)
      box.addSubview(Self.coloured(Secret.field(bounds, isSecure: true)))
    default:
      let (begin, end) = (UIView(frame: bounds), UIView(frame: bounds))
      MaskMarks.shared.set(.unmasksFromHere, for: begin)
      MaskMarks.shared.set(.unmasksToHere, for: end)
      let field =
        self == .besideRange
        ? Secret.field(bounds.offsetBy(dx: 10, dy: 30)) : Secret.field(bounds, isSecure: true)
      [begin, Self.coloured(field), end].forEach(box.addSubview)
    }
    return box
  }

  @MainActor private static func coloured(_ view: UIView) -> UIView {
    view.backgroundColor = Secret.colour
    return view
  }
}

final class ReplicatorView: UIView {
  override class var layerClass: AnyClass { CAReplicatorLayer.self }
}
