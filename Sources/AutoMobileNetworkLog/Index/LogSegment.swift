import AutoMobileJournal
import Foundation

/// One segment, and the rows of what it holds.
final class LogSegment {
  let launch: LaunchID
  let index: UInt64
  private(set) var rows: [LogRow] = []
  private(set) var frames: [FrameRow] = []
  /// Of each row, one after the other, in lower case and escaped as in JSON: URL, tracer id, GraphQL operation, error and
  /// id, with line ends between them.
  private(set) var text: [UInt8] = []
  /// Where the next record is expected.
  private(set) var offset = 0
  private(set) var isComplete = false
  /// It has taken a record: it is no spare.
  private(set) var isUsed = false
  /// Since when something is reserved and not published.
  private var waitingSince: DispatchTime?

  /// A frame of a WebSocket.
  struct FrameRow {
    var payload: LogRow.Part
    /// Of the exchange's id or, when the frame has none, of the URL.
    var owner: UInt64
  }

  /// What is reserved and not published for so long belongs to nobody, in seconds.
  private static let patience: TimeInterval = 2
  /// How often what looks damaged is copied again, for it may just have been published.
  private static let looks = 3

  init(_ launch: LaunchID, _ index: UInt64) {
    self.launch = launch
    self.index = index
  }

  /// Takes in what has been recorded since the last time.
  ///
  /// - Parameters:
  ///   - isLast: the launch has no later segment, so this may be the one that is written.
  ///   - mayBeRunning: whether the launch's process may still run; asked only when that makes a difference.
  func readOn(_ reader: JournalReader, names: inout LogNames, isLast: Bool, mayBeRunning: () -> Bool) {
    guard !isComplete else { return }
    for look in 1...Self.looks {
      guard let piece = reader.piece(launch, index, from: offset) else { return }
      isUsed = true
      // Half a segment would be a hole among the exchanges of an app that goes on.
      if piece.isCut, mayBeRunning() { return }
      let stop = walk(piece, isAbandoned: false, passesDamage: look == Self.looks, &names)
      isComplete = piece.isEnd(offset)
      switch stop {
      case .damaged: continue
      case .end where isLast || isComplete:
        waitingSince = nil
        return
      case .end, .unpublished: break
      }
      break
    }
    // A call is at work, or never returned.
    let now = DispatchTime.now()
    let since = waitingSince ?? now
    waitingSince = since
    guard !isLast && now > since + Self.patience || !mayBeRunning() else { return }
    guard let piece = reader.piece(launch, index, from: offset, isWhole: true) else { return }
    _ = walk(piece, isAbandoned: true, passesDamage: true, &names)
    isComplete = true
  }

  private func walk(
    _ piece: SegmentPiece, isAbandoned: Bool, passesDamage: Bool, _ names: inout LogNames
  ) -> SegmentPiece.Stop {
    let (next, stop) = piece.walk(isAbandoned: isAbandoned, passesDamage: passesDamage) {
      kind, position, place, bytes in
      switch kind {
      case .networkExchange:
        if let row = LogRow(position: position, payload: place, bytes, text: &text, names: &names) { rows.append(row) }
      case .networkFrame:
        frames.append(FrameRow(payload: LogRow.Part(place), owner: FrameOwner.hash(in: bytes)))
      default: break
      }
    }
    offset = next
    return stop
  }
}

/// Which exchange a frame belongs to, as far as a number can tell.
enum FrameOwner {
  static func hash(in frame: UnsafeRawBufferPointer) -> UInt64 {
    var members = JSONMembers(frame)
    var url: UInt64?
    while let member = members.next() {
      let name = UnsafeRawBufferPointer(rebasing: frame[member.name])
      if name.elementsEqual("requestId".utf8) { return hash(frame[member.value]) }
      if name.elementsEqual("url".utf8) { url = hash(frame[member.value]) }
    }
    return url ?? 0
  }

  /// FNV-1a
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
