/// Documentation: *UITextContentType*. iOS 10.0.
public struct UITextContentType: Hashable, Equatable, RawRepresentable, Sendable {
  public let rawValue: String

  /// Documentation: *init(rawValue:)*. iOS 10.0.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Documentation: *password*. iOS 11.0.
  public static let password = UITextContentType(rawValue: "password")
  /// Documentation: *newPassword*. iOS 12.0.
  public static let newPassword = UITextContentType(rawValue: "new-password")
  /// Documentation: *oneTimeCode*. iOS 12.0.
  public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
}
