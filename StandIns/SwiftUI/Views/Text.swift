/// Documentation: *Text*. iOS 13.0.
nonisolated public struct Text: View, PrimitiveView, Equatable, Sendable {
  public typealias Body = Never
  let content: String

  /// Documentation: *init(verbatim:)*. iOS 13.0.
  public init(verbatim content: String) { self.content = content }

  /// Documentation: *init(_:)*. iOS 13.0.
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { self.content = String(content) }

  /// Documentation: *init(_:tableName:bundle:comment:)*. iOS 13.0.
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
  ) {
    content = key.text
  }

  /// Documentation: *init(_:style:)*. iOS 14.0.
  public init(_ date: Date, style: Text.DateStyle) {
    let formatter = DateFormatter()
    formatter.dateStyle = .none
    formatter.timeStyle = .short
    content = formatter.string(from: date)
  }

  /// Documentation: *Text.DateStyle*. iOS 14.0.
  public struct DateStyle: Sendable {
    /// Documentation: *time*. iOS 14.0.
    public static let time = DateStyle()
  }

  @MainActor func update(_ node: ViewNode) { node.element = Element(.text(content)) }
}

/// Documentation: *LocalizedStringKey*. iOS 13.0.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  let text: String

  /// Documentation: *init(_:)*. iOS 13.0.
  public init(_ value: String) { text = value }

  public init(stringLiteral value: String) { text = value }

  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Documentation: *LocalizedStringKey.StringInterpolation*. iOS 13.0.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Documentation: *appendInterpolation(_:)*. iOS 13.0.
    public mutating func appendInterpolation(_ string: String) { text += string }

    /// Documentation: *appendInterpolation(_:)*. iOS 13.0.
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) { text += "\(value)" }
  }
}

/// The numbers that a localized string can hold.
public protocol _FormatSpecifiable: Equatable {}

extension Int: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}
