extension JournalChunk {
  /// The same records under the same names, some with another payload than the journal has.
  ///
  /// - Parameter replacement: a record's new payload; nil: it stays as it is.
  /// - Returns: nil when all of them stay as they are.
  package func replacing(_ replacement: (Record, UnsafeRawBufferPointer) -> [UInt8]?) -> JournalChunk? {
    let codec = RecordCodec(launch: launch)
    var replaced: [UInt8] = []
    replaced.reserveCapacity(bytes.count)
    var moved: [Record] = []
    var isReplaced = false
    bytes.withUnsafeBytes { old in
      for (index, record) in records.enumerated() {
        let offset = replaced.count
        var length = record.payload.count
        if let payload = replacement(record, UnsafeRawBufferPointer(rebasing: old[record.payload])),
          payload.withUnsafeBytes({
            codec.append(kind: record.kind, position: record.position, payload: $0, to: &replaced)
          })
        {
          length = payload.count
          isReplaced = true
        } else {
          replaced.append(
            contentsOf: old[record.offset..<(index + 1 < records.count ? records[index + 1].offset : old.count)])
        }
        let start = offset + RecordHeader.size
        moved.append(
          Record(offset: offset, position: record.position, kind: record.kind, payload: start..<start + length))
      }
    }
    guard isReplaced else { return nil }
    return JournalChunk(launch: launch, from: from, to: to, bytes: replaced, records: moved, eventCount: eventCount)
  }
}
