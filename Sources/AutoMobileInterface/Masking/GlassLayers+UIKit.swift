#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Layers that show what is behind them, somewhere else than it is: Liquid Glass bends it, so that a word that is covered can be read at
/// the edge of a bar beside it.
@MainActor package enum GlassLayers {
  /// What leaves things where they are.
  private static let harmless: Set = [
    "gaussianBlur", "variableBlur", "averageColor", "colorSaturate", "colorBrightness", "colorContrast", "colorMatrix",
    "colorInvert", "colorMonochrome", "curves", "luminanceCurveMap", "luminanceToAlpha", "vibrantColorMatrix",
    "vibrantDark", "vibrantLight",
  ]

  /// As far as anybody can tell: what its filters are is said by names that are not Apple's promise.
  package static func bends(_ layer: CALayer, _ facts: ViewTypes.LayerFacts) -> Bool {
    guard facts.isGlass, #available(iOS 26.0, *) else { return false }
    guard let filters = layer.filters, !filters.isEmpty else { return true }
    return !filters.allSatisfy { kind(of: $0).map(harmless.contains) ?? false }
  }

  private static func kind(of filter: Any) -> String? {
    guard let filter = filter as? NSObject else { return nil }
    #if canImport(ObjectiveC)
    guard filter.responds(to: NSSelectorFromString("type")) else { return nil }
    #endif
    return filter.value(forKey: "type") as? String
  }
}
#endif
