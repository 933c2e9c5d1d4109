#if canImport(UIKit) && !os(watchOS)
import UIKit

extension MaskingRules {
  private static let maximumAncestors = 64

  /// - Parameters:
  ///   - layers: those in the view's own, where somebody has asked for them already.
  ///   - outer: what holds for the view that it is in.
  @MainActor package func state(of view: UIView, layers: [CALayer]? = nil, in outer: State) -> State {
    // The mark is looked up and the identifier read only where they can change anything.
    if outer == .masked { return .masked }
    let mark = MaskMarks.shared.mark(of: view) ?? (classes.isEmpty ? nil : classes.mark(ViewTypes.facts(view).lineage))
    return state(kind(of: view, layers), identifier: view.accessibilityIdentifier, mark: mark, in: outer)
  }

  /// Looks closer where the rules want more covered than is by itself: what a view has drawn is there, whatever it is called.
  @MainActor private func kind(of view: UIView, _ layers: [CALayer]?) -> Kind {
    let kind = Self.kind(of: view, layers)
    guard masksText || masksImages || masksUnknown else { return kind }
    if kind == .text, masksImages, !masksText, Self.holdsImages(view) { return .drawing }
    guard kind == .other else { return kind }
    if masksText || masksImages, view.layer.showsContents { return .drawing }
    // What holds other views is looked at view by view.
    return masksUnknown && ViewTypes.facts(view).isUnknown && view.subviews.isEmpty ? .unknown : kind
  }

  /// Whether a text has images among its letters.
  @MainActor private static func holdsImages(_ view: UIView) -> Bool {
    let button = view as? UIButton
    let text = (view as? UILabel ?? button?.titleLabel)?.attributedText ?? (view as? UITextView)?.attributedText
    guard let text, text.length > 0 else { return false }
    return text.containsAttachments(in: NSRange(location: 0, length: text.length))
  }

  /// Whether a layer is masked that is no view's.
  @MainActor package func masks(_ layer: CALayer) -> Bool {
    let facts = ViewTypes.facts(layer)
    var kind = facts.content ?? .other
    if kind == .other, layer.showsContents { kind = .drawing }
    if kind == .other, facts.isUnknown { kind = .unknown }
    return state(kind, identifier: nil, mark: nil, in: .plain) == .masked
  }

  /// What holds for a view in its place.
  @MainActor package func state(of view: UIView) -> State { place(of: view).state }

  /// The outermost of the views that a view is in, itself among them, that is masked.
  @MainActor func outermostMasked(around view: UIView) -> UIView? { place(of: view).masked }

  @MainActor private func place(of view: UIView) -> (state: State, masked: UIView?) {
    var path: [UIView] = []
    var current: UIView? = view
    while let next = current, path.count < Self.maximumAncestors {
      path.append(next)
      current = next.superview
    }
    // What is farther up is not known.
    if current != nil { return (.masked, path.last) }
    var outer = State.plain
    for view in path.reversed() {
      outer = state(of: view, in: outer)
      if outer == .masked { return (.masked, view) }
    }
    return (outer, nil)
  }

  /// What is secret also while somebody looks at it.
  private static let secrets: Set<UITextContentType> = [.password, .newPassword, .oneTimeCode]

  /// By its class, and by what its class's name says where that belongs to a framework that the SDK does not link.
  @MainActor package static func kind(of view: UIView, _ layers: [CALayer]? = nil) -> Kind {
    let facts = ViewTypes.facts(view)
    if facts.takesText {
      if SecureFields.shared.isSecure(view, now: isForSecrets(view)) { return .secureText }
      if let text = view as? UITextView, !text.isEditable { return .text }
      return .textInput
    }
    if facts.content != .other { return facts.content }
    // SwiftUI gives views of one class layers of several.
    return ViewTypes.facts(view.layer).content ?? ViewTypes.content(of: layers ?? view.layer.sublayers ?? []) ?? .other
  }

  /// Whether what is typed there is hidden, or is secret by what it is for: of the system's fields and of the app's own.
  @MainActor private static func isForSecrets(_ view: UIView) -> Bool {
    guard let traits = view as? any UITextInputTraits else { return false }
    // Both are optional in the protocol.
    let isHidden: Bool? = traits.isSecureTextEntry
    let purpose: UITextContentType?? = traits.textContentType
    return isHidden == true || purpose.flatMap { $0 }.map(secrets.contains) == true
  }
}
#endif
