import AutoMobileJournal
import AutoMobileSupport

/// Bodies in the raw journal format: a header line, and records byte for byte.
enum RawBatch {
  /// A body with a chunk's records. It stands on its own: contexts that its events name and that the chunk does not
  /// hold, because they were delivered earlier or are left out, stand where they stand in the journal.
  static func body(
    _ chunk: JournalChunk, contexts: LaunchContexts, sender: DeliverySender, sentAt: Int64, ledger: LaunchLedger?
  ) throws -> [UInt8] {
    let earlier = self.earlier(chunk, contexts)
    let header = BatchHeader(
      launchId: chunk.launch, from: min(chunk.from, earlier.first?.position ?? chunk.from), to: chunk.to,
      bundleId: sender.bundleId, sdkVersion: sender.sdkVersion, sentAt: sentAt, ledger: ledger)
    var body = try header.encoded()
    body.reserveCapacity(body.count + chunk.bytes.count + earlier.reduce(0) { $0 + $1.payload.count + 32 })
    let codec = RecordCodec(launch: chunk.launch)
    func append(_ context: LaunchContexts.Known) {
      context.payload.withUnsafeBytes { payload in
        _ = codec.append(kind: .context, position: context.position, payload: payload, to: &body)
      }
    }
    // Between the records of a chunk that was read ahead there may be others, contexts among them.
    guard let last = earlier.last, last.position > chunk.from else {
      earlier.forEach(append)
      body += chunk.deliveredBytes
      return body
    }
    var contexts = earlier[...]
    for (index, record) in chunk.records.enumerated() {
      while let context = contexts.first, context.position < record.position {
        append(context)
        contexts = contexts.dropFirst()
      }
      if record.kind.isDelivered { body += chunk.bytes(of: index) }
    }
    return body
  }

  /// A body that carries nothing but the counts of a launch.
  static func ledgerBody(
    _ launch: LaunchID, sender: DeliverySender, sentAt: Int64, ledger: LaunchLedger?
  ) throws -> [UInt8] {
    try BatchHeader(
      launchId: launch, from: 0, to: 0, bundleId: sender.bundleId, sdkVersion: sender.sdkVersion, sentAt: sentAt,
      ledger: ledger
    ).encoded()
  }

  private static func earlier(_ chunk: JournalChunk, _ contexts: LaunchContexts) -> [LaunchContexts.Known] {
    var earlier: [UInt64: LaunchContexts.Known] = [:]
    let inside = Set(chunk.records.lazy.filter { $0.kind == .context }.map(\.position))
    for id in Set(chunk.events.compactMap(\.reference?.id)) {
      guard let context = contexts[id], context.position < chunk.to, !inside.contains(context.position) else {
        continue
      }
      earlier[context.position] = context
    }
    return earlier.values.ordered { $0.position < $1.position }
  }
}

extension JournalChunk {
  /// The records without those that are for the next launch only.
  fileprivate var deliveredBytes: [UInt8] {
    guard records.contains(where: { !$0.kind.isDelivered }) else { return bytes }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for index in records.indices where records[index].kind.isDelivered {
      kept += bytes(of: index)
    }
    return kept
  }

  /// A whole record, by its index.
  fileprivate func bytes(of index: Int) -> ArraySlice<UInt8> {
    bytes[records[index].offset..<(index + 1 < records.count ? records[index + 1].offset : bytes.count)]
  }
}
