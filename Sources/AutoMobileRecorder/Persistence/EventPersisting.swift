/// Keeps batches of events on disk until they have been delivered.
public protocol EventPersisting: AnyObject, Sendable {
  /// Writes a batch. Nil when it could not be written; then nothing is left of it.
  func persist(_ events: [any SdkEvent]) -> String?
  /// The batches that are there, oldest first.
  func loadPending() -> [(batchId: String, events: [any SdkEvent])]
  func removeBatch(_ batchId: String)
  /// Removes what is older.
  func cleanup(maxAgeDays: Int)
}
