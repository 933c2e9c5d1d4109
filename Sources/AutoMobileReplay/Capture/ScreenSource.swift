import AutoMobileInterface
import Foundation

/// The screen, as capture sees it.
@MainActor protocol ScreenSource: AnyObject, Sendable {
  /// In points; nil while nothing is shown.
  var size: CGSize? { get }
  /// The name of the screen that the app is on.
  var screenName: String? { get }
  var isInTransition: Bool { get }
  var isMapMoving: Bool { get }
  var conditions: CapturePacing.Conditions { get }
  /// Calls `body` when the display has been told what the tree of views is now: soon, and before anything changes it.
  func whenDrawn(_ body: @escaping @MainActor @Sendable () -> Void)
  /// The screen will be drawn when the display has had the time to show what it was told until now: notes what is masked.
  func prepare(_ rules: MaskingRules)
  /// Draws the screen, and says what of it must be covered; nil when it could not be drawn.
  func draw(on picture: Picture, pixelsPerPoint: Double, _ rules: MaskingRules) -> ScreenMask?
  /// What is shown, as a tree.
  func hierarchy(_ rules: MaskingRules) -> HierarchySnapshot?
  /// Tells `notice` when the keyboard begins to move (`true`) and when it has moved; the last one holds.
  func watchKeyboard(_ notice: (@MainActor (_ begins: Bool) -> Void)?)
  /// A recording begins, by these rules.
  func use(_ rules: MaskingRules)
}

extension MaskingRules {
  init(_ settings: CaptureSettings) {
    self.init()
    masksTextInput = settings.masksTextInput
    masksWebViews = settings.masksWebViews
    masksCameraPreviews = settings.masksCameraPreviews
    masksKeyboard = settings.masksKeyboard
    masksImages = settings.masksImages || settings.masking.maskAllImages
    masksText = settings.masking.maskAllText
    masksUnknown = settings.masking.maskUnknownViews
    classes = settings.masking.classes
    // Nobody who wants every text covered wants to see what is typed.
    if masksText { masksTextInput = true }
    identifierPrefix = settings.maskedIdentifierPrefix
  }
}
