#if canImport(UIKit) && !os(watchOS)
import UIKit

extension TapTarget {
  /// Views above the one that was hit are looked at so far.
  private static let maximumAncestors = 32

  /// Views in one that speaks for them are looked at so far.
  private static let maximumDescendants = 200

  /// Of what was hit: the control, cell or view with a gesture that it belongs to, or the view itself when it belongs
  /// to none.
  ///
  /// - Parameter place: where it was touched, in the window; nil: not known.
  @MainActor init(_ hit: UIView, at place: CGPoint? = nil) {
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
    let rules = MaskingRules.current
    let masked = MaskedTouch(path, at: place, isOpaque: isInteractive == nil, rules)
    // Of what is masked, a recording says no word; fields have a rule of their own below.
    let isSecret = masked != nil || Self.isSecret(hit, rules)
    let words = rules.forWords
    self.init(
      accessibilityLabel: isSecret ? nil : Self.label(path, words),
      accessibilityIdentifier: Self.first(masked?.told(of: path) ?? path[...], \.accessibilityIdentifier),
      viewType: ViewTypes.facts(masked.map { $0.isElement ? element : $0.view } ?? element).name,
      text: isSecret ? nil : Self.text(hit, element, words), isInteractive: isInteractive)
    coveredPlace = masked?.place
  }

  /// Whether a tap is meant to do something; nil: nobody can tell.
  @MainActor private static func isInteractive(_ view: UIView) -> Bool? {
    if let control = view as? UIControl { return control.isEnabled }
    if ViewTypes.facts(view).takesText || view is UITableViewCell || view is UICollectionViewCell { return true }
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

  @MainActor private static func isSecret(_ hit: UIView, _ rules: MaskingRules) -> Bool {
    // What a field is called is not what was typed into it.
    let isField = MaskingRules.kind(of: hit) == .textInput
    let place = isField ? hit.superview : hit
    let marks = MaskMarks.shared
    return rules.masksText || marks.mark(of: hit) == .mask || place.map { rules.state(of: $0) } == .masked
      || marks.cover(hit)
  }

  /// Whether anything in a view is masked or is a field: what a view says of itself is often what those in it say.
  @MainActor private static func holdsSecrets(_ view: UIView, _ rules: MaskingRules) -> Bool {
    let state = rules.state(of: view)
    var rest = view.subviews.map { ($0, state) }
    var next = 0
    while next < rest.count {
      // Nobody knows what is in the others.
      guard next < maximumDescendants else { return true }
      let (current, outer) = rest[next]
      next += 1
      let state = rules.state(of: current, in: outer)
      let kind = MaskingRules.kind(of: current)
      if state == .masked || kind == .textInput || kind == .secureText { return true }
      rest += current.subviews.prefix(maximumDescendants).map { ($0, state) }
    }
    return false
  }

  /// Only of labels and buttons: what is in fields belongs to whoever typed it.
  @MainActor private static func text(_ hit: UIView, _ element: UIView, _ rules: MaskingRules) -> String? {
    if ViewTypes.facts(element).takesText || ViewTypes.facts(hit).takesText { return nil }
    if let button = element as? UIButton {
      return holdsSecrets(button, rules) ? nil : button.currentTitle ?? button.titleLabel?.text
    }
    if let label = hit as? UILabel { return label.text }
    let holdsLabels = element is UIControl || element is UITableViewCell || element is UICollectionViewCell
    return holdsLabels ? firstLabel(in: element, rules)?.text : nil
  }

  /// The first label in a cell or a control, among the first few views.
  @MainActor private static func firstLabel(in view: UIView, _ rules: MaskingRules) -> UILabel? {
    var rest = [view]
    var next = 0
    while next < rest.count, next < 40 {
      let current = rest[next]
      next += 1
      if current.isHidden || ViewTypes.facts(current).takesText { continue }
      if rules.state(of: current, in: .plain) == .masked { continue }
      if let label = current as? UILabel, label.text?.isEmpty == false, !MaskMarks.shared.cover(label) { return label }
      rest.append(contentsOf: current.subviews.prefix(40))
    }
    return nil
  }

  /// What assistive technologies would say. Of a field only when it does not say what is in it, as far as that can be known; of what
  /// holds something masked nothing.
  @MainActor private static func label(_ path: [UIView], _ rules: MaskingRules) -> String? {
    for view in path {
      let label = view.accessibilityLabel
      if let field = view as? UITextField {
        return field.isSecureTextEntry || tells(label, field.text) ? nil : label
      }
      if let field = view as? UITextView {
        return field.isSecureTextEntry || tells(label, field.text) ? nil : label
      }
      if ViewTypes.facts(view).takesText { return nil }
      if let label, !label.isEmpty { return holdsSecrets(view, rules) ? nil : label }
    }
    return nil
  }

  /// Whether a label gives away what was typed. Of a letter or two, any word would.
  private static func tells(_ label: String?, _ typed: String?) -> Bool {
    guard let label, let typed, !typed.isEmpty else { return false }
    return label == typed || (typed.utf8.count > 2 && label.contains(typed))
  }

  @MainActor private static func first(_ path: ArraySlice<UIView>, _ text: (UIView) -> String?) -> String? {
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
