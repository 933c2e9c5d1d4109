#if canImport(UIKit) && !os(watchOS)
import UIKit

/// A layer with all that it is in, and what the display shows of it while animations run.
///
/// Core Animation tells that with copies, of the layer and of each that it is in, made by the `init(layer:)` of their classes. A class of
/// Swift that has an initializer of its own, and not that one, ends the process there. So where nothing is animated nobody asks: what the
/// layer says is what is shown. And where something is, it is asked for where each of these classes is known to have it.
@MainActor package struct LayerPath {
  /// Something of the layer, or of what it is in, is animated.
  package private(set) var isAnimated = false
  private var canBeCopied = true
  /// The layer is in the plane of the screen. Otherwise nobody can say where things in it are drawn: conversions leave the perspective out.
  private var isFlat = true
  /// So is what is in it.
  private var isFlatInside = true
  /// The innermost that throws a shadow. Most paths have none, and are cheap to copy.
  package private(set) var shadow: Shadow?

  package final class Shadow {
    package let layer: CALayer
    package let outer: Shadow?

    init(of layer: CALayer, in outer: Shadow?) { (self.layer, self.outer) = (layer, outer) }
  }

  /// Of nothing yet.
  package nonisolated init() {}

  /// Of a layer in its place.
  package init(to layer: CALayer) {
    var current: CALayer? = layer
    var count = 0
    while let next = current {
      self = adding(next)
      count += 1
      // What is farther up is not known.
      guard count < Self.maximumDepth else {
        (isAnimated, canBeCopied) = (true, false)
        return
      }
      current = next.superlayer
    }
  }

  private static let maximumDepth = 512
  /// For tests: as if the layers said what is shown, whatever animations do.
  package static var ignoresAnimations = false

  /// Of a layer in this one.
  package func adding(_ layer: CALayer) -> LayerPath {
    var path = self
    let hasAnimations = layer.animationKeys() != nil && !Self.ignoresAnimations
    if hasAnimations { path.isAnimated = true }
    if !ViewTypes.facts(layer).canBeCopied { path.canBeCopied = false }
    if layer.shadowOpacity > 0 || hasAnimations && layer.animation(forKey: "shadowOpacity") != nil {
      path.shadow = Shadow(of: layer, in: shadow)
    }
    path.isFlat = isFlatInside
    path.addDepth(of: layer)
    if hasAnimations, path.canBeCopied, let shown = layer.presentation() { path.addDepth(of: shown) }
    return path
  }

  private mutating func addDepth(of layer: CALayer) {
    if !CATransform3DIsAffine(layer.transform) { isFlat = false }
    isFlatInside = isFlat && isFlatInside && CATransform3DIsAffine(layer.sublayerTransform)
  }

  /// Whether anybody can tell what is shown.
  package var isKnown: Bool { !isAnimated || canBeCopied }
  /// … and where.
  package var isPlaceKnown: Bool { isFlat && isKnown }

  /// What is shown of the layer that this is the path of. Nil: it is not known, or nothing is yet.
  package func shown(_ layer: CALayer) -> CALayer? {
    guard isAnimated else { return layer }
    return canBeCopied ? layer.presentation() : nil
  }
}
#endif
