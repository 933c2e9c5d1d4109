import AutoMobileJournal

extension UploadKeeper {
  /// What was read of a launch, as it may go: without bodies where nobody who wants an event wants these.
  ///
  /// - Parameter ranges: what was to be read, disjoint and sorted.
  func prepared(_ chunk: JournalChunk, of ranges: [Range<UInt64>]) -> JournalChunk {
    replaced = nil
    guard let evaluation = evaluations[chunk.launch] else { return chunk }
    let bare = evaluation.bare(in: ranges)
    guard !bare.isEmpty else { return chunk }
    // Both go up.
    var next = bare[...]
    let prepared = chunk.replacing { record, payload in
      while let range = next.first, range.upperBound <= record.position { next = next.dropFirst() }
      guard record.kind == .event || record.kind == .eventAndBreadcrumb, next.first?.contains(record.position) == true
      else { return nil }
      return BodilessEvent.json(payload)
    }
    guard let prepared else { return chunk }
    replaced = (chunk.launch, chunk.from)
    return prepared
  }

  /// What was ``prepared(_:of:)`` last goes now, up to a position.
  ///
  /// That is written down before it goes. So a record that has to be sent once more is sent as it was, by a later launch, too: which of two
  /// versions a collector had would depend on what got lost on the way. What has not been tried is not written down: somebody may still ask
  /// for its bodies.
  func goes(_ chunk: JournalChunk, priority: Int, to end: UInt64) {
    guard let replaced, replaced.launch == chunk.launch, replaced.from == chunk.from,
      let evaluation = evaluations[chunk.launch]
    else { return }
    evaluation.keepBare(evaluation.bare(in: evaluation.ranges(priority: priority)), from: chunk.from, to: end)
    save([chunk.launch])
  }
}
