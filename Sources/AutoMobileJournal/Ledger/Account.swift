import CAutoMobile
import Foundation

/// What the reader of a launch has done with its records. One reader at a time writes it, whole.
///
/// A ledger file holds two copies; the one with a right checksum and the higher sequence counts. So acknowledging,
/// counting what was delivered and counting what was lost are one step, which a killed process has taken or not.
struct Account: Equatable, Sendable {
  var sequence: UInt64 = 0
  /// Everything before this position has been delivered or counted as lost.
  var acknowledged: UInt64 = 0
  /// Everything from there to this position has been handed out: whether it arrived is not known before it is
  /// acknowledged, not even after the process died.
  var handedOut: UInt64 = 0
  var delivered: UInt64 = 0
  /// Calls that never returned, because the process died in them.
  var torn: UInt64 = 0
  var losses = Losses()
  /// A segment whose records are counted and that is about to be removed: its index + 1.
  var doomed: UInt64 = 0
  /// The most records that torn and damaged ranges can have held.
  var unreadable: UInt64 = 0
  /// The most records that missing segments can have held.
  var missing: UInt64 = 0
  /// What was counted while there was no ledger file.
  var carried = WriterCounts()
  /// Bits that whoever reads the launch has set; what they mean is theirs.
  var marks: UInt64 = 0
  /// The launch that delivered the final ledger.
  var finisher: LaunchID?

  /// - Parameter reasons: how many losses there are counts of.
  private static func size(reasons: Int) -> Int { 9 * 8 + reasons * 8 + 2 * 8 + reasons * 8 + 16 }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size(reasons: Losses.count) + 8)
    func append(_ value: some Any) { withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) } }
    for word in [sequence, acknowledged, handedOut, delivered, torn, doomed, unreadable, missing, marks] {
      append(word.littleEndian)
    }
    for count in losses.counts { append(count.littleEndian) }
    for word in [carried.recorded, carried.lastSegment] { append(word.littleEndian) }
    for count in carried.losses.counts { append(count.littleEndian) }
    append((finisher?.uuid ?? Self.nobody).uuid)
    append(UInt64(bytes.withUnsafeBytes { am_crc32c(0, $0.baseAddress, $0.count) }).littleEndian)
    return bytes
  }

  private static var nobody: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  init() {}

  /// Nil when the checksum is wrong.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let account = Account(bytes, reasons: Losses.count) ?? Account(bytes, reasons: Losses.countBefore) else {
      return nil
    }
    self = account
  }

  private init?(_ bytes: UnsafeRawBufferPointer, reasons: Int) {
    let size = Self.size(reasons: reasons)
    guard bytes.count >= size + 8 else { return nil }
    var offset = 0
    func next() -> UInt64 {
      defer { offset += 8 }
      return bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }
    sequence = next()
    acknowledged = next()
    handedOut = next()
    delivered = next()
    torn = next()
    doomed = next()
    unreadable = next()
    missing = next()
    marks = next()
    for reason in LossReason.allCases where reason.index < reasons { losses[reason] = next() }
    carried.recorded = next()
    carried.lastSegment = next()
    for reason in LossReason.allCases where reason.index < reasons { carried.losses[reason] = next() }
    let uuid = UUID(uuid: bytes.loadUnaligned(fromByteOffset: offset, as: uuid_t.self))
    finisher = uuid == Self.nobody ? nil : LaunchID(uuid: uuid)
    offset += 16
    guard sequence > 0, next() == UInt64(am_crc32c(0, bytes.baseAddress, size)) else { return nil }
  }
}

extension LaunchLedger {
  /// Brings together what the writers and the reader of a launch have counted.
  ///
  /// `recorded` is counted just after a record is published and just before the call returns. So when the process died,
  /// it may lag behind what is found by one for each thread: then what was found was recorded. When it is ahead, the
  /// difference was lost on disk; but never more than can have stood in the ranges that could not be read, else the
  /// counter itself is damaged.
  ///
  /// - Parameters:
  ///   - ahead: what became of what was sent ahead of the cursor, which the account does not know.
  ///   - isKeeping: what is not sent is kept on purpose, so it is told how much that is.
  init(
    writers: WriterCounts, account: Account, ahead: AheadCounts = AheadCounts(), isResolved: Bool,
    isKeeping: Bool = false
  ) {
    var counts = writers
    counts.add(account.carried)
    var losses = account.losses
    losses.add(counts.losses)
    losses[.rejected] = losses[.rejected].adding(saturating: ahead.rejected)
    var torn = account.torn
    var known = account.delivered.adding(saturating: ahead.delivered).adding(saturating: losses.total)
    if isResolved {
      let certain = known.subtracting(saturating: losses[.corrupt])
      let lost = counts.recorded.subtracting(saturating: certain)
      if counts.recorded >= certain, lost <= account.unreadable.adding(saturating: account.missing) {
        let damaged = min(lost, account.unreadable)
        // Holes that were thought torn had been recorded, as far as they are needed to explain the difference.
        torn = torn.subtracting(saturating: damaged.subtracting(saturating: losses[.corrupt]))
        losses[.corrupt] = damaged
        losses[.evicted] = losses[.evicted].adding(saturating: lost.subtracting(saturating: damaged))
        known = certain.adding(saturating: lost)
      }
      // Nothing of it is kept any more; that it was, says to a receiver that what expired is no loss.
      self.init(recorded: known, dropped: losses.named, torn: torn, final: true, kept: isKeeping ? 0 : nil)
    } else {
      let recorded = max(counts.recorded, known)
      self.init(
        recorded: recorded, dropped: losses.named, torn: torn, final: false,
        kept: isKeeping ? recorded.subtracting(saturating: known) : nil)
    }
  }
}
