#if canImport(UIKit) && !os(watchOS)
import UIKit

extension TapTarget {
  /// Views above the one that was hit are looked at so far.
  private static let maximumAncestors = 32

  /// Of what was hit: the control, cell or view with a gesture that it belongs to, or the view itself when it belongs
  /// to none.
  @MainActor init(_ hit: UIView) {
    var isInteractive: Bool? = false
    var path: [UIView] = []
    var view: UIView? = hit
    while let current = view, path.count < Self.maximumAncestors {
      path.append(current)
      isInteractive = Self.isInteractive(current)
      if isInteractive != false { break }
      view = current.superview
    }
    if isInteractive == false { path = [hit] }
    let element = path.last ?? hit
    // Of what the app has masked, a recording says no word; fields have a rule of their own below.
    let isSecret = Self.isSecret(hit)
    self.init(
      accessibilityLabel: isSecret ? nil : Self.label(path),
      accessibilityIdentifier: Self.first(path, \.accessibilityIdentifier), viewType: ViewTypes.facts(element).name,
      text: isSecret ? nil : Self.text(hit, element), isInteractive: isInteractive)
  }

  /// Whether a tap is meant to do something; nil: nobody can tell.
  @MainActor private static func isInteractive(_ view: UIView) -> Bool? {
    if let control = view as? UIControl { return control.isEnabled }
    if view is UITextInput || view is UITableViewCell || view is UICollectionViewCell { return true }
    // It stops what rolls.
    if let scroll = view as? UIScrollView, scroll.isDecelerating { return true }
    if !view.accessibilityTraits.isDisjoint(with: [.button, .link]) { return true }
    let recognizes = view.gestureRecognizers?.contains { recognizer in
      recognizer.isEnabled && (recognizer is UITapGestureRecognizer || recognizer is UILongPressGestureRecognizer)
    }
    if recognizes == true { return true }
    return ViewTypes.facts(view).isOpaque ? nil : false
  }

  // MARK: Texts

  @MainActor private static func isSecret(_ hit: UIView) -> Bool {
    // What a field is called is not what was typed into it.
    let isField = MaskingRules.kind(of: hit) == .textInput
    let place = isField ? hit.superview : hit
    let marks = MaskMarks.shared
    return MaskingRules.current.masksText || marks.mark(of: hit) == .mask
      || place.map { MaskingRules.current.state(of: $0) } == .masked
      || marks.cover(hit)
  }

  /// Only of labels and buttons: what is in fields belongs to whoever typed it.
  @MainActor private static func text(_ hit: UIView, _ element: UIView) -> String? {
    if element is UITextInput || hit is UITextInput { return nil }
    if let button = element as? UIButton { return button.currentTitle ?? button.titleLabel?.text }
    if let label = hit as? UILabel { return label.text }
    let holdsLabels = element is UIControl || element is UITableViewCell || element is UICollectionViewCell
    return holdsLabels ? firstLabel(in: element)?.text : nil
  }

  /// The first label in a cell or a control, among the first few views.
  @MainActor private static func firstLabel(in view: UIView) -> UILabel? {
    var rest = [view]
    var next = 0
    while next < rest.count, next < 40 {
      let current = rest[next]
      next += 1
      if current.isHidden || current is UITextInput { continue }
      if MaskingRules.current.state(of: current, in: .plain) == .masked { continue }
      if let label = current as? UILabel, label.text?.isEmpty == false { return label }
      rest.append(contentsOf: current.subviews.prefix(40))
    }
    return nil
  }

  /// What assistive technologies would say. Of a field only when it does not say what is in it.
  @MainActor private static func label(_ path: [UIView]) -> String? {
    for view in path {
      let label = view.accessibilityLabel
      if let field = view as? UITextField {
        return field.isSecureTextEntry || tells(label, field.text) ? nil : label
      }
      if let field = view as? UITextView {
        return field.isSecureTextEntry || tells(label, field.text) ? nil : label
      }
      if let label, !label.isEmpty { return label }
    }
    return nil
  }

  /// Whether a label gives away what was typed. Of a letter or two, any word would.
  private static func tells(_ label: String?, _ typed: String?) -> Bool {
    guard let label, let typed, !typed.isEmpty else { return false }
    return label == typed || (typed.utf8.count > 2 && label.contains(typed))
  }

  @MainActor private static func first(_ path: [UIView], _ text: (UIView) -> String?) -> String? {
    for view in path { if let text = text(view), !text.isEmpty { return text } }
    return nil
  }
}

extension ScrollAxes {
  /// In which the views that this one is in can scroll.
  @MainActor init(_ hit: UIView?) {
    self = []
    var view = hit
    var depth = 0
    while let current = view, depth < 64 {
      if let scroll = current as? UIScrollView, scroll.isScrollEnabled {
        if scroll.contentSize.width > scroll.bounds.width { insert(.horizontal) }
        if scroll.contentSize.height > scroll.bounds.height { insert(.vertical) }
      }
      view = current.superview
      depth += 1
    }
  }
}
#endif
