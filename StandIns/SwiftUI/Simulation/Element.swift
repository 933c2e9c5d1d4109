import UIKit

/// What people see or touch at one place of the screen.
struct Element {
  enum Kind {
    case text(String)
    case image(String)
    case button(@MainActor () -> Void)
    case toggle(Binding<Bool>)
    case field(_ prompt: String, Binding<String>)
    case title(String)
    case controller(UIViewController)
    case view(UIView)
  }

  let kind: Kind
  /// Nobody may read what is typed.
  let isSecure: Bool
  /// A button to be careful with.
  let isDestructive: Bool

  init(_ kind: Kind, isSecure: Bool = false, isDestructive: Bool = false) {
    (self.kind, self.isSecure, self.isDestructive) = (kind, isSecure, isDestructive)
  }

  /// A tap on it does something.
  var isControl: Bool {
    switch kind {
    case .button, .toggle: true
    case .text, .image, .field, .title, .controller, .view: false
    }
  }
}
