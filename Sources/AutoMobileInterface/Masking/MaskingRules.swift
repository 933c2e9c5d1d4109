/// What of the screen nobody may see in a recording. The one set of rules for pixels, for the tree of views, and for
/// the labels of taps.
package struct MaskingRules: Sendable, Equatable {
  /// Text fields and text views that are not secure.
  package var masksTextInput = true
  package var masksWebViews = true
  package var masksCameraPreviews = true
  package var masksKeyboard = true
  /// Images and videos, maps, and what draws itself.
  package var masksImages = false
  /// Every text: labels, titles, pages, and what draws itself.
  package var masksText = false
  /// Views of the system of which nobody knows what they show.
  package var masksUnknown = false
  package var classes = MaskedClasses()
  /// Views are masked whose accessibility identifier begins with this; empty for none.
  package var identifierPrefix = "mask:"

  package init() {}

  /// Of what a view says about others in it: images that are covered for being some say nothing.
  var forWords: MaskingRules {
    var rules = self
    rules.masksImages = false
    return rules
  }

  /// What the app said of a view.
  package enum Mark: Sendable, Equatable {
    case mask
    case unmask
    /// Says nothing of itself: views of the same superview that are in front of it may be seen, where it is, up to…
    case unmasksFromHere
    /// … this one.
    case unmasksToHere
  }

  /// What a view holds that may be private.
  package enum Kind: Sendable, Equatable {
    case other
    /// A field for a password: whatever anybody says, it is masked.
    case secureText
    case textInput
    case webView
    case cameraPreview
    case keyboard
    /// An image or a video.
    case image
    /// Words that nobody typed here.
    case text
    case map
    /// A page with words and images.
    case document
    /// It has drawn something by itself: words or images.
    case drawing
    /// A picture of another view, which may be a masked one.
    case copy
    /// What another process shows here, or an engine that draws a whole interface by itself.
    case remote
    /// A view of the system that has no public name.
    case unknown
  }

  /// What holds for a view and, unless they say otherwise, for the views in it.
  package enum State: Sendable, Equatable {
    case plain
    case masked
    /// The app says that what is in it may be seen.
    case unmasked
  }

  /// - Parameter outer: what holds for the view that it is in.
  func state(_ kind: Kind, identifier: String?, mark: Mark?, in outer: State) -> State {
    if outer == .masked || kind == .secureText || mark == .mask || hasPrefix(identifier) { return .masked }
    if mark == .unmask || outer == .unmasked { return .unmasked }
    return isMasked(kind) ? .masked : .plain
  }

  private func hasPrefix(_ identifier: String?) -> Bool {
    guard let identifier, !identifierPrefix.isEmpty else { return false }
    return identifier.hasPrefix(identifierPrefix)
  }

  private func isMasked(_ kind: Kind) -> Bool {
    switch kind {
    case .other: false
    case .secureText: true
    case .textInput: masksTextInput
    case .webView: masksWebViews
    case .cameraPreview: masksCameraPreviews
    case .keyboard: masksKeyboard
    case .image, .map: masksImages
    case .text: masksText
    case .document, .drawing: masksText || masksImages
    case .copy, .remote: true
    case .unknown: masksUnknown
    }
  }
}
