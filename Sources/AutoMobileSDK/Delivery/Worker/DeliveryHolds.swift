/// Who wants nothing to be sent.
struct DeliveryHolds: OptionSet, Sendable {
  let rawValue: UInt8
  /// The collector; and nobody knows yet what it said last.
  static let collector = DeliveryHolds(rawValue: 1)
  /// The app.
  static let app = DeliveryHolds(rawValue: 2)
}
