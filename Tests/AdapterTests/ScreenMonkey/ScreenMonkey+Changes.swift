import AutoMobileReplay
import AutoMobileSDK
import UIKit

/// What happens to screens.
extension ScreenMonkey {
  func change() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: addSecret()
    case 22..<32: addBox()
    case 32..<44: removal()
    case 44..<56: move()
    case 56..<68: fade()
    case 68..<74: transform()
    case 74..<82: scroll()
    case 82..<88: endAnimations()
    case 88..<91: reparent()
    case 91..<95: scene()
    case 95..<97: transition()
    case 97..<98: raise()
    case 98..<99: keyboard()
    default: confuse()
    }
    // Screens do not grow without end.
    while secrets.count > 40 { remove(secrets.removeFirst()) }
    while boxes.count > 25, let box = boxes.first(where: { !($0 is UIWindow) }) { remove(box) }
  }

  /// Something goes, or may be seen from now on because it is something else.
  func removal() {
    guard let view = secrets.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: view.isHidden = true
    case 1: view.alpha = 0
    case 2:
      // With all that it is in.
      if let box = view.superview, !(box is UIWindow) { remove(box) } else { remove(view) }
    case 3:
      // A cell that is used again.
      guard let label = view as? UILabel, MaskMarks.shared.mark(of: label) == .mask else { return remove(view) }
      label.text = "Flat white"
      (label.textColor, label.backgroundColor) = (.black, .gray)
      MaskMarks.shared.set(nil, for: label)
    default: remove(view)
    }
  }

  // MARK: Views

  private func place() -> CGRect {
    CGRect(
      x: .random(in: -80...360, using: &random), y: .random(in: -80...800, using: &random),
      width: .random(in: 20...240, using: &random), height: .random(in: 20...120, using: &random))
  }

  private func box() -> UIView? { boxes.randomElement(using: &random) }

  private func addSecret() {
    guard let box = box() else { return }
    let view = secret(place())
    secrets.append(view)
    box.addSubview(view)
  }

  private func addBox() {
    guard let outer = box() else { return }
    let box: UIView
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      box = UIScrollView(frame: place())
      (box as? UIScrollView)?.contentSize = CGSize(width: 390, height: 4000)
    case 1: box = UITableViewCell(frame: place())
    case 2:
      box = UIView(frame: place())
      box.clipsToBounds = true
      box.layer.cornerRadius = 20
    case 3:
      box = UILabel(frame: place())
      (box as? UILabel)?.text = "Flat white"
    default: box = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    }
    if Bool.random(using: &random) {
      box.backgroundColor = UIColor(white: .random(in: 0...1, using: &random), alpha: 0.3)
    }
    outer.addSubview(box)
    boxes.append(box)
  }

  private func remove(_ view: UIView) {
    if let keys, keys.superview === view { keyboard() }
    view.removeFromSuperview()
    secrets.removeAll { $0 === view || $0.isInside(view) }
    boxes.removeAll { $0 === view || $0.isInside(view) }
  }

  private func any() -> UIView? {
    guard Bool.random(using: &random) else { return secrets.randomElement(using: &random) }
    return boxes.filter { !($0 is UIWindow) }.randomElement(using: &random)
  }

  private func reparent() {
    guard let view = secrets.randomElement(using: &random), let box = box() else { return }
    box.addSubview(view)
  }

  // MARK: Animations

  private func animate(_ layer: CALayer, _ begin: (CALayer) -> Void) {
    begin(layer)
    animated.append(layer)
  }

  private func move() {
    guard let view = any() else { return }
    let (old, middle) = (view.frame, place())
    view.frame = place()
    switch Int.random(in: 0..<3, using: &random) {
    case 0: animate(view.layer) { $0.simulateAnimation(showing: old) }
    case 1: animate(view.layer) { $0.simulateAnimation(showing: middle) }
    default: break
    }
  }

  private func fade() {
    guard let view = any() else { return }
    if Bool.random(using: &random) {
      view.alpha = view.alpha > 0 ? 0 : 1
      if Bool.random(using: &random) {
        let opacity = Float.random(in: 0...1, using: &random)
        animate(view.layer) { $0.simulateAnimation(opacity: opacity) }
      }
    } else {
      view.isHidden.toggle()
      let isHidden = view.isHidden
      if Bool.random(using: &random) { animate(view.layer) { $0.simulateAnimation(isHidden: !isHidden) } }
    }
  }

  private func transform() {
    guard let view = any() else { return }
    let (old, angle) = (view.transform, CGFloat.random(in: 0...6, using: &random))
    let scale = CGFloat.random(in: 0.01...1.5, using: &random)
    view.transform = CGAffineTransform(rotationAngle: angle).concatenating(CGAffineTransform(scaleX: scale, y: scale))
    if Bool.random(using: &random) {
      animate(view.layer) { $0.simulateAnimation(cornerRadius: 40, transform: old) }
    } else if Bool.random(using: &random) {
      view.transform = .identity
    }
  }

  private func scroll() {
    guard let list = boxes.filter({ $0 is UIScrollView }).randomElement(using: &random) as? UIScrollView else { return }
    let old = list.contentOffset
    list.contentOffset.y = .random(in: 0...600, using: &random)
    if Bool.random(using: &random) { animate(list.layer) { $0.simulateAnimation(boundsOrigin: old) } }
  }

  private func endAnimations() {
    for layer in animated {
      layer.simulateAnimationEnd()
      layer.simulateUncommitted(false)
    }
    animated = []
  }

  /// Nobody knows where it is: no frame may be taken.
  private func confuse() {
    guard let view = secrets.randomElement(using: &random) else { return }
    if Bool.random(using: &random) {
      animate(view.layer) { $0.simulateAnimation(showing: CGRect(x: CGFloat.nan, y: 0, width: 10, height: 10)) }
    } else {
      animate(view.layer) { layer in
        layer.simulateAnimation(opacity: 0.9)
        layer.simulateUncommitted()
      }
    }
  }

  static let keyboard = CGRect(x: 0, y: 500, width: 390, height: 344)

  private func keyboard() {
    if let shown = keys {
      shown.removeFromSuperview()
      keys = nil
      SimulatedKeyboard.simulateHide(from: Self.keyboard)
    } else if let window = boxes.compactMap({ $0 as? UIWindow }).randomElement(using: &random) {
      let view = DrawingView(frame: Self.keyboard)
      window.addSubview(view)
      keys = view
      SimulatedKeyboard.simulateShow(covering: Self.keyboard)
    }
  }

  private func raise() {
    for view in boxes where view.simulatesException { view.simulatesException = false }
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    box()?.simulatesException = true
  }

  // MARK: Scenes

  func connectScene() {
    let scene = UIWindowScene()
    if !scenes.isEmpty, Bool.random(using: &random) { scene.simulateResize(to: CGSize(width: 320, height: 600)) }
    UIApplication.shared.simulateConnection(of: scene, onOtherScreen: !scenes.isEmpty && Bool.random(using: &random))
    scenes.append(scene)
    addWindow(to: scene)
  }

  private func addWindow(to scene: UIWindowScene) {
    let window = UIWindow(windowScene: scene)
    window.backgroundColor = scene.windows.count > 1 ? nil : .white
    window.rootViewController = UIViewController()
    boxes.append(window)
  }

  private func scene() {
    let application = UIApplication.shared
    guard let scene = scenes.randomElement(using: &random) else { return connectScene() }
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where scenes.count < 3: connectScene()
    case 1 where scenes.count > 1:
      application.simulateDisconnection(of: scene)
      scenes.removeAll { $0 === scene }
      scene.windows.forEach(remove)
    case 2 where scenes.count > 1: application.simulateState(.background, of: scene)
    case 3: application.simulateState(.foregroundInactive, of: scene)
    case 4 where scene.windows.count < 3: addWindow(to: scene)
    case 5 where scene.windows.count > 1:
      guard let window = scene.windows.last else { return }
      remove(window)
      window.windowScene = nil
    case 6:
      // Turned: UIKit says so for as long as it lasts.
      let size = scene.coordinateSpace.bounds.size
      scene.simulateResize(to: CGSize(width: size.height, height: size.width))
    default: scenes.forEach { application.simulateState(.foregroundActive, of: $0) }
    }
  }

  private func transition() {
    let controllers = scenes.flatMap(\.windows).compactMap(\.rootViewController)
    let isUnderWay = Int.random(in: 0..<4, using: &random) == 0
    if isUnderWay {
      controllers.randomElement(using: &random)?.simulateTransition(true)
    } else {
      controllers.forEach { $0.simulateTransition(false) }
    }
  }
}

extension UIView {
  fileprivate func isInside(_ view: UIView) -> Bool {
    var outer = superview
    while let current = outer {
      if current === view { return true }
      outer = current.superview
    }
    return false
  }
}
