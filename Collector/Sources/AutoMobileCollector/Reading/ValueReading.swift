/// Asks for the values that fields have, for completion.
protocol ValueReading: Sendable {
  /// The most frequent among what is newest.
  ///
  /// - Parameter beginning: of the value, or of a part of it.
  func values(
    _ scope: ReadScope, of field: SearchField, in domain: SearchDomain, beginning: String
  ) async throws -> [FieldValue]
}
