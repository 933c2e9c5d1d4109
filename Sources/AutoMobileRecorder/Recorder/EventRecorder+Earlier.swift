import AutoMobileJournal

extension EventRecorder {
  /// Records an event that belongs to an earlier launch, under the context that held there. Reads the disk.
  ///
  /// - Parameter contextId: the number of that context; the launch's last one when nil.
  func record(_ event: some SdkEvent, of launch: LaunchID, contextId: UInt64?) {
    outcome(ofRecording: event, of: launch, contextId: contextId)
  }

  /// The same, for somebody who has to know what became of it.
  @discardableResult
  func outcome(ofRecording event: some SdkEvent, of launch: LaunchID, contextId: UInt64?) -> RecordOutcome {
    let contexts = journal.lastRecords(of: [.context], limit: 256, launch: launch)
      .compactMap { record in record.payload.withUnsafeBytes { ContextExpander.Members(contextRecord: $0) } }
    let context = contexts.last { contextId == nil || $0.id == contextId } ?? contexts.last
    return record(event, of: launch, in: context ?? .none)
  }
}
