/// What a view or a layer shows, by the name of its class: of frameworks that the SDK does not link, and of what has no public
/// name. The table in *Masking* says what becomes of each.
enum ContentNames {
  static func kind(_ name: String) -> MaskingRules.Kind? {
    let name = withoutParameters(name)
    if let kind = known[name] { return kind }
    if isOfKeyboard(name) { return .keyboard }
    // Pictures of other views, which may be masked themselves: of transitions, menus, drags, and what magnifies text.
    let isSystems = isOfUIKit(name)
    if isSystems, copies.contains(where: name.contains) { return .copy }
    if isSystems, remotes.contains(where: name.contains) { return .remote }
    if name.hasPrefix("QLPreview") { return .document }
    // Live Text, on images.
    if name.hasPrefix("VKCImage") || name.hasPrefix("VKImage") { return .text }
    return nil
  }

  /// Views; an app's own as well, for nobody knows what is typed there.
  private static func isOfKeyboard(_ name: String) -> Bool { name.contains("Keyboard") || name.contains("TextEffects") }

  /// Whether a window is one of the keyboard's. One of the app's own that is called so (`KeyboardAwareWindow`) holds the app.
  static func isKeyboardWindow(_ name: String) -> Bool { isOfUIKit(name) && isOfKeyboard(name) }

  private static func isOfUIKit(_ name: String) -> Bool { name.hasPrefix("_UI") || name.hasPrefix("UI") }

  private static let known: [String: MaskingRules.Kind] = [
    "WKWebView": .webView, "UIWebView": .webView, "SFSafariView": .webView,
    "AVCaptureVideoPreviewLayer": .cameraPreview, "ARSCNView": .cameraPreview, "ARSKView": .cameraPreview,
    "ARView": .cameraPreview, "PLCameraView": .cameraPreview,
    "AVPlayerLayer": .image, "AVSampleBufferDisplayLayer": .image, "CAMetalLayer": .image, "CAEAGLLayer": .image,
    "MTKView": .image, "SCNView": .image, "SKView": .image, "GLKView": .image, "ImageLayer": .image,
    "MKMapView": .map, "MKLookAroundView": .map, "GMSMapView": .map, "MGLMapView": .map,
    "PDFView": .document, "CATiledLayer": .document,
    "PKCanvasView": .textInput, "PKTiledView": .textInput,
    "CATextLayer": .text, "_UILabelLayer": .text,
    // SwiftUI draws its texts, images in these, and what a `Canvas` shows in the same way: nobody can tell which it is.
    "CGDrawingView": .drawing, "CGDrawingLayer": .drawing, "RBDrawingView": .drawing, "RBLayer": .drawing,
    "_UITextLayoutFragmentView": .text, "_UITextViewCanvasView": .text, "_UITextFieldCanvasView": .text,
    "UIPickerView": .text, "UIDatePicker": .text, "RCTTextView": .text, "RCTParagraphComponentView": .text,
    "CAPortalLayer": .copy, "CALayerHost": .remote,
    // Engines that draw a whole interface into one view, fields for passwords as well.
    "FlutterView": .remote, "UnityView": .remote, "UnityRenderingView": .remote, "SkikoUIView": .remote,
    "GodotView": .remote,
  ]

  private static let copies = ["Replicant", "Portal", "Snapshot", "DragPreview", "Loupe", "Magnifier"]
  private static let remotes = ["RemoteView", "LayerHost", "SceneHosting", "SceneLayer"]

  /// Whether a class is one of the system's of which nobody outside knows what it shows.
  ///
  /// - Parameter path: its name with its module, where it has one.
  static func isUnknown(_ name: String, path: String) -> Bool {
    let name = withoutParameters(name)
    guard kind(name) == nil, !containers.contains(where: name.contains) else { return false }
    return name.hasPrefix("_") || path.hasPrefix("SwiftUI.") || path.hasPrefix("_TtC7SwiftUI")
  }

  /// What holds others or is of one colour.
  private static let containers = [
    "HostingView", "_UIInheritedView", "PlatformViewHost", "PlatformGroupContainer", "_UIBarBackground",
    "_UISystemBackgroundView", "SeparatorView", "ScrollIndicator", "_UITouchPassthroughView", "DimmingView",
  ]

  /// Of layers: those of one colour, or with others in them.
  static let plainLayers: Set<String> = [
    "CALayer", "CAShapeLayer", "CAGradientLayer", "CATransformLayer", "CAScrollLayer", "CAEmitterLayer",
    "ColorShapeLayer",
  ]

  /// Whether a layer shows what is behind it. The portals of Liquid Glass copy a shape, and not what is drawn in it: by themselves they
  /// show nothing that could be read.
  static func isGlass(_ name: String) -> Bool { name.hasSuffix("BackdropLayer") || name.hasSuffix("SDFPortalLayer") }

  private static func withoutParameters(_ name: String) -> String { String(name.prefix { $0 != "<" }) }
}
