#if canImport(UIKit) && !os(watchOS)
import UIKit

extension MaskingRules {
  /// The rules that hold in this process: of the recording that runs, else the defaults.
  @MainActor package static var current = MaskingRules()

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
    guard kind == .other, masksText || masksImages || masksUnknown else { return kind }
    if masksText || masksImages, view.layer.showsContents { return .drawing }
    // What holds other views is looked at view by view.
    return masksUnknown && ViewTypes.facts(view).isUnknown && view.subviews.isEmpty ? .unknown : kind
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
  @MainActor package func state(of view: UIView) -> State {
    var path: [UIView] = []
    var current: UIView? = view
    while let next = current, path.count < Self.maximumAncestors {
      path.append(next)
      current = next.superview
    }
    // What is farther up is not known.
    if current != nil { return .masked }
    return path.reversed().reduce(State.plain) { state(of: $1, in: $0) }
  }

  /// What is secret also while somebody looks at it.
  private static let secrets: Set<UITextContentType> = [.password, .newPassword, .oneTimeCode]

  /// By its class, and by what its class's name says where that belongs to a framework that the SDK does not link.
  @MainActor package static func kind(of view: UIView, _ layers: [CALayer]? = nil) -> Kind {
    let facts = ViewTypes.facts(view)
    if facts.takesText {
      if let field = view as? UITextField {
        let isSecure = field.isSecureTextEntry || field.textContentType.map(secrets.contains) ?? false
        return SecureFields.shared.isSecure(field, now: isSecure) ? .secureText : .textInput
      }
      if let text = view as? UITextView {
        let isSecure = text.isSecureTextEntry || text.textContentType.map(secrets.contains) ?? false
        if SecureFields.shared.isSecure(text, now: isSecure) { return .secureText }
        return text.isEditable ? .textInput : .text
      }
      return .textInput
    }
    if facts.content != .other { return facts.content }
    // SwiftUI gives views of one class layers of several.
    return ViewTypes.facts(view.layer).content ?? ViewTypes.content(of: layers ?? view.layer.sublayers ?? []) ?? .other
  }
}
#endif
