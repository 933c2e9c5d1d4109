import AutoMobileJournal
import NIOCore

extension CheckedBatch {
  /// The same records, at the same positions, without what the rules name; itself when there is nothing to take out.
  ///
  /// - Complexity: one pass over the bytes; records that change are written anew, with their checksums.
  func redacted(by rules: RedactionRules, maximumDepth: Int, _ counts: inout RedactionCounts) -> CheckedBatch {
    let written = body.withUnsafeReadableBytes { bytes in
      Self.write(bytes, launch, rules, maximumDepth, &counts)
    }
    guard let written else { return self }
    var batch = self
    batch.body = ByteBuffer(bytes: written)
    return batch
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, _ launch: LaunchID, _ rules: RedactionRules, _ maximumDepth: Int,
    _ counts: inout RedactionCounts
  ) -> [UInt8]? {
    guard let (_, start) = try? BatchHeader.split(bytes) else { return nil }
    let codec = RecordCodec(launch: launch)
    var result: [UInt8] = []
    // What is before it is written already, or not changed.
    var (offset, copied) = (start, 0)
    while offset < bytes.count,
      case .record(let kind, let position, let range, let next) = codec.parse(bytes, at: offset)
    {
      let payload = UnsafeRawBufferPointer(rebasing: bytes[range])
      if let new = JSONRedactor.redact(payload, by: rules, maximumDepth: maximumDepth, &counts) {
        result.append(contentsOf: bytes[copied..<offset])
        let isWritten = new.withUnsafeBytes { codec.append(kind: kind, position: position, payload: $0, to: &result) }
        // Longer than a record can be: nothing of it is kept, and it is put aside when it is indexed.
        if !isWritten {
          codec.append(
            kind: kind, position: position, payload: UnsafeRawBufferPointer(start: nil, count: 0), to: &result)
        }
        copied = next
      }
      offset = next
    }
    guard copied > 0 else { return nil }
    result.append(contentsOf: bytes[min(copied, bytes.count)...])
    return result
  }
}
