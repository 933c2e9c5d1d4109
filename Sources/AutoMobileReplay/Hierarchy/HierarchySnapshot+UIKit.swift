#if canImport(UIKit) && !os(watchOS)
import AutoMobileInterface
import AutoMobileJournal
import UIKit

extension HierarchySnapshot {
  /// What a window shows, in drawing order, down to a depth and until a time.
  ///
  /// - Parameter offset: of the window in the picture.
  @MainActor mutating func add(
    _ window: UIWindow, _ rules: MaskingRules, offset: CGPoint = .zero, until deadline: UInt64,
    uptime: @MainActor () -> UInt64
  ) {
    let root = MaskedPlace.Root(window)
    var rest: [(view: UIView, outer: MaskingRules.State, path: LayerPath, depth: Int)] = [
      (window, .plain, LayerPath(), 0)
    ]
    while let (view, outer, outerPath, depth) = rest.popLast() {
      guard nodes.count < Self.maximumNodes, uptime() < deadline else { return }
      guard !view.isHidden, view.alpha > 0 else { continue }
      let path = outerPath.adding(view.layer)
      // Where it must not be asked for, it will soon be where the layer says.
      let (shown, top) = path.isKnown ? (path.shown(view.layer), root.shown(path)) : (view.layer, root.layer)
      guard let shown, let top else { continue }
      let state = rules.state(of: view, in: outer)
      let frame = shown.convert(shown.bounds, to: top).offsetBy(dx: offset.x, dy: offset.y)
      if let node = Node(view, frame, isMasked: state == .masked) { nodes.append(node) }
      // Of what is masked, not even the parts are told.
      guard state != .masked, depth < HierarchyRecorder.maximumDepth, !(view is UIButton) else { continue }
      let states = rules.states(inside: view, in: state)
      for (index, subview) in view.subviews.enumerated().reversed() {
        rest.append((subview, states?[index] ?? state, path, depth + 1))
      }
    }
  }
}

extension HierarchySnapshot.Node {
  /// Nil for a view that shows nothing by itself.
  @MainActor fileprivate init?(_ view: UIView, _ frame: CGRect, isMasked: Bool) {
    guard frame.isFinite, frame.width > 0, frame.height > 0 else { return nil }
    let kind = Self.kind(view)
    let background = view.backgroundColor.flatMap(Self.rgb)
    if kind == .view, background == nil, !isMasked { return nil }
    self.init(kind, frame)
    self.background = background
    self.isMasked = isMasked
    cornerRadius = Double(view.layer.cornerRadius)
    guard !isMasked else { return }
    if let label = view as? UILabel {
      text = label.text
      fontSize = label.font.map { Double($0.pointSize) }
      textColour = label.textColor.flatMap(Self.rgb)
    } else if let button = view as? UIButton {
      text = button.currentTitle
    } else if let field = view as? UITextField {
      text = field.text?.isEmpty == false ? field.text : field.placeholder
    } else if let field = view as? UITextView {
      text = field.text
    }
  }

  @MainActor private static func kind(_ view: UIView) -> HierarchySnapshot.Kind {
    switch view {
    case is UILabel: return .text
    case is UIButton: return .button
    case is UITextField, is UITextView: return .input
    case is UIImageView: return .image
    case is UISwitch: return .switch
    case is UITableViewCell, is UICollectionViewCell: return .cell
    case is UIScrollView: return .list
    default: break
    }
    switch MaskingRules.kind(of: view) {
    case .webView: return .web
    case .cameraPreview, .image: return .video
    case .textInput, .secureText: return .input
    case .keyboard: return .keyboard
    case .map: return .map
    case .text: return .text
    case .document, .drawing: return .image
    case .other, .copy, .remote, .unknown: break
    }
    let name = ViewTypes.facts(view).name
    if name == "UISlider" { return .slider }
    return name.hasSuffix("Bar") ? .bar : .view
  }

  private static func rgb(_ colour: UIColor) -> UInt32? {
    var (red, green, blue, alpha) = (CGFloat.zero, CGFloat.zero, CGFloat.zero, CGFloat.zero)
    guard colour.getRed(&red, green: &green, blue: &blue, alpha: &alpha), alpha > 0.05 else { return nil }
    func byte(_ part: CGFloat) -> UInt32 { UInt32(saturating: min(max(Double(part), 0), 1) * 255 + 0.5) }
    return byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}
#endif
