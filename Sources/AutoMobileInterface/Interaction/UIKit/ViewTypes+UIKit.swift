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
    /// What it shows, as far as its classes tell.
    package var content = MaskingRules.Kind.other
    /// What is typed goes into it, unless it is a text that cannot be edited.
    package var takesText = false
    /// One of the system's that has no public name.
    package var isUnknown = false
    /// With the classes that it inherits from, itself first.
    package var lineage: [(type: ObjectIdentifier, name: String)] = []
  }

  /// Of a layer.
  package struct LayerFacts {
    package var content: MaskingRules.Kind?
    package var isUnknown = false
    /// Shows what is in it several times.
    package var isReplicator = false
    /// Shows what is behind it.
    package var isGlass = false
    /// Core Animation can make a copy of it.
    package var canBeCopied = true
    var isVideo = false
  }

  private static var known: [ObjectIdentifier: Facts] = [:]
  private static var knownLayers: [ObjectIdentifier: LayerFacts] = [:]

  package static func facts(_ view: UIView) -> Facts {
    let type = type(of: view)
    if let facts = known[ObjectIdentifier(type)] { return facts }
    let name = String(describing: type)
    let lineage = classes(view)
    let names = lineage.map(\.name)
    var facts = Facts(
      name: name, isKeyboard: names.contains(where: ContentNames.isKeyboardWindow),
      isOpaque: name.contains("HostingView") || name.hasPrefix("WK"), isMap: names.contains("MKMapView"),
      content: content(view, names + [String(describing: type.layerClass)]))
    // Fields for codes of the app's own often take keys alone. What hosts SwiftUI may take some as well, and is no field.
    facts.takesText = view is UITextInput || (view is UIKeyInput && !name.contains("HostingView"))
    facts.isUnknown = ContentNames.isUnknown(name, path: String(reflecting: type))
    facts.lineage = lineage
    known[ObjectIdentifier(type)] = facts
    return facts
  }

  /// A class of the app's own counts as what it was made of.
  private static func content(_ view: UIView, _ names: [String]) -> MaskingRules.Kind {
    for name in names {
      guard let kind = ContentNames.kind(name) else { continue }
      if kind != .keyboard || !(view is UIWindow) || ContentNames.isKeyboardWindow(name) { return kind }
    }
    if view is UIImageView { return .image }
    return view is UILabel || view is UIButton ? .text : .other
  }

  /// What a layer that was put beside those of the views shows, where that makes the whole view what it is: that is how cameras
  /// and videos are often shown.
  static func content(of layers: [CALayer]) -> MaskingRules.Kind? {
    for layer in layers {
      // Views in this one speak for themselves.
      if Swift.type(of: layer) == CALayer.self || layer.delegate is UIView { continue }
      let facts = facts(layer)
      if facts.content == .cameraPreview || facts.isVideo { return facts.content }
    }
    return nil
  }

  package static func facts(_ layer: CALayer) -> LayerFacts {
    let type = Swift.type(of: layer)
    if type == CALayer.self { return LayerFacts() }
    if let facts = knownLayers[ObjectIdentifier(type)] { return facts }
    let names = classes(layer).map(\.name)
    var facts = LayerFacts(content: names.lazy.compactMap(ContentNames.kind).first)
    facts.isVideo = names.contains("AVPlayerLayer")
    facts.isReplicator = names.contains("CAReplicatorLayer")
    facts.isGlass = names.contains(where: ContentNames.isGlass)
    let isPlain = facts.isGlass || ContentNames.plainLayers.contains(String(describing: type))
    facts.isUnknown = facts.content == nil && !isPlain
    facts.canBeCopied = LayerCopies.canBeMade(of: type)
    knownLayers[ObjectIdentifier(type)] = facts
    return facts
  }

  /// The class of an object and those above it.
  private static func classes(_ object: NSObject) -> [(type: ObjectIdentifier, name: String)] {
    var found: [(type: ObjectIdentifier, name: String)] = []
    #if canImport(ObjectiveC)
    var type: AnyClass? = Swift.type(of: object)
    while let current = type, found.count < 32 {
      found.append((ObjectIdentifier(current), String(describing: current)))
      type = class_getSuperclass(current)
    }
    #else
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror, found.count < 32 {
      found.append((ObjectIdentifier(current.subjectType), String(describing: current.subjectType)))
      mirror = current.superclassMirror
    }
    #endif
    return found
  }
}
#endif
