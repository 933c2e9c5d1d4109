#if canImport(UIKit) && !os(watchOS)
import UIKit

/// What the name of a view's class says, found out once for each class.
@MainActor package enum ViewTypes {
  package struct Facts {
    package var name: String
    /// A window of the keyboard's. These have no public name.
    package var isKeyboard = false
    /// Draws what it holds by itself, so nobody can tell what is interactive in it: SwiftUI, and pages of the web.
    package var isOpaque = false
    /// A map, which is costly to draw while it moves.
    package var isMap = false
    /// What it shows, as far as the names of its classes tell.
    package var content = MaskingRules.Kind.other
  }

  private static var known: [ObjectIdentifier: Facts] = [:]

  package static func facts(_ view: UIView) -> Facts {
    let type = type(of: view)
    if let facts = known[ObjectIdentifier(type)] { return facts }
    let name = String(describing: type)
    let facts = Facts(
      name: name, isKeyboard: name.contains("Keyboard") || name.contains("TextEffects"),
      isOpaque: name.contains("HostingView") || name.hasPrefix("WK"),
      isMap: name == "MKMapView" || classesAbove(view).contains("MKMapView"), content: content(view, name))
    known[ObjectIdentifier(type)] = facts
    return facts
  }

  /// A class of the app's own counts as what it was made of.
  private static func content(_ view: UIView, _ name: String) -> MaskingRules.Kind {
    let names = [name, String(describing: Swift.type(of: view).layerClass)] + classesAbove(view)
    for name in names {
      if name == "WKWebView" || name == "SFSafariView" { return .webView }
      if let kind = content(layerName: name) { return kind }
      if name.contains("Keyboard") || name.contains("TextEffects") { return .keyboard }
    }
    return .other
  }

  private static func content(layerName name: String) -> MaskingRules.Kind? {
    switch name {
    case "AVCaptureVideoPreviewLayer": .cameraPreview
    case "AVPlayerLayer": .image
    default: nil
    }
  }

  /// What a layer that was put beside those of the views shows: that is how cameras are often shown.
  static func content(ofLayersIn view: UIView) -> MaskingRules.Kind? {
    guard let layers = view.layer.sublayers else { return nil }
    for layer in layers {
      let type = Swift.type(of: layer)
      // Views in this one speak for themselves.
      if type == CALayer.self || layer.delegate is UIView { continue }
      if let known = knownLayers[ObjectIdentifier(type)] {
        if let kind = known { return kind }
        continue
      }
      let kind = content(layerName: String(describing: type))
      knownLayers[ObjectIdentifier(type)] = .some(kind)
      if let kind { return kind }
    }
    return nil
  }

  private static var knownLayers: [ObjectIdentifier: MaskingRules.Kind?] = [:]

  private static func classesAbove(_ view: UIView) -> [String] {
    var names: [String] = []
    #if canImport(ObjectiveC)
    var type: AnyClass? = class_getSuperclass(Swift.type(of: view))
    while let current = type, names.count < 32 {
      names.append(String(describing: current))
      type = class_getSuperclass(current)
    }
    #else
    var mirror = Mirror(reflecting: view).superclassMirror
    while let current = mirror, names.count < 32 {
      names.append(String(describing: current.subjectType))
      mirror = current.superclassMirror
    }
    #endif
    return names
  }
}
#endif
