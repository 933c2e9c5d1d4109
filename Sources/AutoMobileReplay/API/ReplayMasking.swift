import AutoMobileInterface

/// What nobody may see in a replay, besides what is covered by itself: fields, pages of the web, cameras, the keyboard, what other
/// processes show, and pictures that the system made of views.
///
///     var options = ReplayOptions()
///     options.masking.maskAllText = true
///     options.masking.unmask(classes: [PriceLabel.self])
///     Replay.configure(publicKey: "am_…", options: options)
///
/// It holds for pictures, for wireframes, and for the labels of taps. What the collector asks for can only cover more.
/// *Masking* lists every kind of view, and what becomes of it.
public struct ReplayMasking: Sendable, Equatable {
  /// Covers every text: labels, titles, texts of SwiftUI, documents, and what is drawn by views of the app's own.
  ///
  /// False shows labels as they are.
  public var maskAllText: Bool
  /// Covers every image: also videos, maps, documents, 3D, what is drawn by views of the app's own, and what SwiftUI draws, which are
  /// texts as well: images may be among these, and nobody can tell.
  public var maskAllImages: Bool
  /// Covers views of the system that have no public name and of which nobody knows what they show.
  public var maskUnknownViews: Bool

  var classes = MaskedClasses()

  public init(maskAllText: Bool = false, maskAllImages: Bool = false, maskUnknownViews: Bool = false) {
    self.maskAllText = maskAllText
    self.maskAllImages = maskAllImages
    self.maskUnknownViews = maskUnknownViews
  }

  /// Covers views of these classes and of those made from them, with all that is in them, as `Replay.mask(_:)` does for one
  /// view.
  ///
  /// Where two classes that a view is made from are named, the nearer one decides; where the view itself was named, that does.
  public mutating func mask(classes: [AnyClass]) { set(.mask, classes) }

  /// The same by names, as `String(describing:)` gives them: for classes that cannot be named in code.
  public mutating func mask(classesNamed names: [String]) { names.forEach { classes.names[$0] = .mask } }

  /// Shows views of these classes and of those made from them, as `Replay.unmask(_:)` does for one view: all but fields for
  /// passwords, and what is masked in them.
  public mutating func unmask(classes: [AnyClass]) { set(.unmask, classes) }

  /// The same by names, as `String(describing:)` gives them.
  public mutating func unmask(classesNamed names: [String]) { names.forEach { classes.names[$0] = .unmask } }

  private mutating func set(_ mark: MaskingRules.Mark, _ types: [AnyClass]) {
    for type in types { classes.types[ObjectIdentifier(type)] = mark }
  }
}
