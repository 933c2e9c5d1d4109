/// A value that a field has, for completion.
struct FieldValue: Sendable {
  var text: String
  /// How many sessions, requests or names have it; nil when they are not counted.
  var count: Int64?
}
