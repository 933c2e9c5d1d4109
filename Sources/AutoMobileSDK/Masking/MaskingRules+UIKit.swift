#if canImport(UIKit) && !os(watchOS)
import UIKit

extension MaskingRules {
  /// The rules that hold in this process: of the recording that runs, else the defaults.
  @MainActor package static var current = MaskingRules()

  private static let maximumAncestors = 64

  /// - Parameter outer: what holds for the view that it is in.
  @MainActor package func state(of view: UIView, in outer: State) -> State {
    // The mark is looked up and the identifier read only where they can change anything.
    if outer == .masked { return .masked }
    return state(
      Self.kind(of: view), identifier: view.accessibilityIdentifier, mark: MaskMarks.shared.mark(of: view), in: outer)
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

  /// By its class, and by what its class's name says where that belongs to a framework that the SDK does not link.
  @MainActor package static func kind(of view: UIView) -> Kind {
    if let field = view as? UITextField { return field.isSecureTextEntry ? .secureText : .textInput }
    if let text = view as? UITextView {
      if text.isSecureTextEntry { return .secureText }
      return text.isEditable ? .textInput : .other
    }
    if view is UITextInput { return .textInput }
    if view is UIImageView { return .image }
    let content = ViewTypes.facts(view).content
    return content == .other ? ViewTypes.content(ofLayersIn: view) ?? .other : content
  }
}
#endif
