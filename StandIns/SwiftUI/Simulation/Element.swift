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

  init(_ kind: Kind) { self.kind = kind }

  /// A tap on it does something.
  var isControl: Bool {
    switch kind {
    case .button, .toggle: true
    case .text, .image, .field, .title, .controller, .view: false
    }
  }
}
