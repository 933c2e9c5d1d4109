/// A value that a field has, for completion.
struct FieldValue: Sendable {
  var text: String
  /// How many sessions, requests or names have it; nil when they are not counted.
  var count: Int64?
}

extension FieldValue {
  /// So many are given.
  static let most = 20
  /// So many rows are looked at, the newest; a tenth of it where each has to be opened.
  static let newest = 10_000
  /// So many letters of each.
  static let letters = 200
}
