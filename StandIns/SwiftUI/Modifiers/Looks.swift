import UIKit

// Fonts and colours are seen; what else things may look like is left out.
extension View {
  /// Documentation: *font(_:)*. iOS 13.0.
  nonisolated public func font(_ font: Font?) -> some View {
    Styled(content: self, change: TextStyle.Change(font: font))
  }

  /// Documentation: *foregroundColor(_:)*. iOS 13.0.
  nonisolated public func foregroundColor(_ color: Color?) -> some View {
    Styled(content: self, change: TextStyle.Change(colour: color))
  }

  /// Documentation: *lineLimit(_:)*. iOS 13.0.
  nonisolated public func lineLimit(_ number: Int?) -> some View { self }

  /// Documentation: *frame(width:height:alignment:)*. iOS 13.0.
  nonisolated public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { self }

  /// Documentation: *frame(minWidth:idealWidth:maxWidth:minHeight:idealHeight:maxHeight:alignment:)*. iOS 13.0.
  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { self }

  /// Documentation: *padding(_:)*. iOS 13.0.
  nonisolated public func padding(_ length: CGFloat) -> some View { self }

  /// Documentation: *offset(x:y:)*. iOS 13.0.
  nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }

  /// Documentation: *scaledToFit()*. iOS 13.0.
  nonisolated public func scaledToFit() -> some View { self }

  /// Documentation: *listStyle(_:)*. iOS 13.0.
  nonisolated public func listStyle<S: ListStyle>(_ style: S) -> some View { self }

  /// Documentation: *textSelection(_:)*. iOS 15.0.
  nonisolated public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }

  /// Documentation: *background(alignment:content:)*. iOS 15.0.
  nonisolated public func background<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View {
    Decorated(content: self, extra: [ViewNode.Child("background", Placed(content: content(), arrangement: .behind))]) {
      _ in
    }
  }

  /// Documentation: *overlay(alignment:content:)*. iOS 15.0.
  nonisolated public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View {
    Decorated(content: self, extra: [ViewNode.Child("overlay", Placed(content: content(), arrangement: .inFront))]) {
      _ in
    }
  }

  /// Documentation: *allowsHitTesting(_:)*. iOS 13.0.
  nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View { self }

  /// Documentation: *disabled(_:)*. iOS 13.0.
  nonisolated public func disabled(_ disabled: Bool) -> some View {
    Decorated(content: self) { $0.isDisabled = disabled }
  }
}

/// Documentation: *Font*. iOS 13.0.
public struct Font: Hashable, Sendable {
  /// Documentation: *headline*. iOS 13.0.
  public static let headline = Font(size: 17, isBold: true)
  /// Documentation: *callout*. iOS 13.0.
  public static let callout = Font(size: 16)
  /// Documentation: *caption*. iOS 13.0.
  public static let caption = Font(size: 12)
  /// Documentation: *caption2*. iOS 14.0.
  public static let caption2 = Font(size: 11)

  /// Documentation: *bold()*. iOS 13.0.
  public func bold() -> Font { Font(size: size, isBold: true) }
  /// Documentation: *monospaced()*. iOS 15.0.
  public func monospaced() -> Font { self }
  /// Documentation: *monospacedDigit()*. iOS 13.0.
  public func monospacedDigit() -> Font { self }

  private let size: CGFloat
  private var isBold = false

  private init(size: CGFloat, isBold: Bool = false) { (self.size, self.isBold) = (size, isBold) }

  var uiFont: UIFont { isBold ? .boldSystemFont(ofSize: size) : .systemFont(ofSize: size) }
}

/// Documentation: *ListStyle*. iOS 13.0.
public protocol ListStyle {}

/// Documentation: *PlainListStyle*. iOS 13.0.
public struct PlainListStyle: ListStyle {}

extension ListStyle where Self == PlainListStyle {
  /// Documentation: *plain*. iOS 13.0.
  public static var plain: PlainListStyle { PlainListStyle() }
}

/// Documentation: *TextSelectability*. iOS 15.0.
public protocol TextSelectability {}

/// Documentation: *EnabledTextSelectability*. iOS 15.0.
public struct EnabledTextSelectability: TextSelectability {}

extension TextSelectability where Self == EnabledTextSelectability {
  /// Documentation: *enabled*. iOS 15.0.
  public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}
