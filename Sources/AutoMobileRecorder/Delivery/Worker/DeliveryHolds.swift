/// Who wants nothing to be sent.
struct DeliveryHolds: OptionSet, Sendable {
  let rawValue: UInt8
  /// The collector; and nobody knows yet what it said last.
  static let collector = DeliveryHolds(rawValue: 1)
  /// The app.
  static let app = DeliveryHolds(rawValue: 2)
  /// The report of a crash at launch, which is being made and goes first.
  static let crashAtLaunch = DeliveryHolds(rawValue: 4)
  /// The user has not allowed it, or nobody has asked yet.
  static let consent = DeliveryHolds(rawValue: 8)
  /// What there is is being erased.
  static let erasure = DeliveryHolds(rawValue: 16)
}
