import Testing

@testable import AutoMobileRecorder

extension TestReceiver {
  /// Expects of each launch that is over that everything it recorded has arrived, once, or has been counted.
  ///
  /// - Parameter count: how many launches are over.
  /// - Returns: what was lost, by its reason.
  func dropsOfLedgersThatAddUp(_ count: Int, at location: SourceLocation = #_sourceLocation) -> [String: UInt64] {
    var dropped: [String: UInt64] = [:]
    let final = store.ledgers.filter(\.value.final)
    for (launch, ledger) in final {
      let arrived = UInt64(store.events[launch]?.count ?? 0)
      #expect(ledger.recorded == arrived + ledger.lost, "\(launch)", sourceLocation: location)
      dropped.merge(ledger.dropped, uniquingKeysWith: +)
    }
    #expect(final.count == count, "launches that are over", sourceLocation: location)
    return dropped
  }
}
