import AutoMobileJournal
import Foundation

/// One segment, and the rows of what it holds.
final class LogSegment {
  let launch: LaunchID
  let index: UInt64
  private(set) var rows: [LogRow] = []
  private(set) var frames: [FrameRow] = []
  /// Requests that began here and have not ended, by where the payload of their record is.
  private(set) var beginnings: [UInt32: Beginning] = [:]
  /// What has been read of beginnings, until ``takeBegun(from:)``.
  private var begun: [Begun] = []
  /// Of each row, one after the other, in lower case and escaped as in JSON: URL, tracer id, GraphQL operation, error and
  /// id, with line ends between them.
  private(set) var text: [UInt8] = []
  /// Where the next record is expected.
  private(set) var offset = 0
  private(set) var isComplete = false
  /// It has taken a record: it is no spare.
  private(set) var isUsed = false
  /// So many of the rows, from the first on, have been cleared.
  private(set) var cleared = 0
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

  /// A row, or a beginning; nil when it is not there, or not any more.
  func row(_ number: LogIndex.RowNumber) -> LogRow? {
    guard !number.isBeginning else { return beginnings[number.index]?.row }
    return Int(number.index) < rows.count ? rows[Int(number.index)] : nil
  }

  func text(of row: LogRow) -> [UInt8] {
    row.flags.contains(.beginning) ? beginnings[row.payload.offset]?.text ?? [] : text
  }

  /// Nil when it has no id.
  func key(_ row: LogRow) -> RequestKey? {
    let text = text(of: row)
    return RequestKey(startedAt: row.startedAt, id: text[row.idText(in: text)])
  }

  /// Lists a request that has begun.
  func list(_ beginning: Beginning) { beginnings[beginning.row.payload.offset] = beginning }

  func unlist(_ number: LogIndex.RowNumber) { if number.isBeginning { beginnings[number.index] = nil } }

  /// What ended is named after its beginning, so that it stays where it was for whoever looks at it.
  func rename(row: Int, _ position: UInt64) { rows[row].position = position }

  /// The requests that began in what has been read since the last time, but for those that ended in it, too.
  ///
  /// - Parameter first: the first row that has been read since.
  func takeBegun(from first: Int) -> [RequestKey: Begun] {
    guard !begun.isEmpty else { return [:] }
    var found: [RequestKey: Begun] = [:]
    for one in begun where found[one.key] == nil { found[one.key] = one }
    begun = []
    for row in first..<max(first, rows.count) {
      guard let key = key(rows[row]), let beginning = found.removeValue(forKey: key) else { continue }
      rename(row: row, beginning.position)
    }
    return found
  }

  /// Leaves out what stands before an offset. What was not read yet of it never is.
  ///
  /// - Returns: how many rows that were there are not any more.
  func clear(upTo end: Int) -> Int {
    let before = cleared
    while cleared < rows.count, Int(rows[cleared].payload.offset) < end { cleared += 1 }
    frames.removeAll { Int($0.payload.offset) < end }
    let listed = beginnings.count
    if listed > 0 { beginnings = beginnings.filter { Int($0.key) >= end } }
    if end > offset {
      offset = end
      isUsed = true
    }
    return cleared - before + listed - beginnings.count
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
      case .provisionalRequest:
        if let one = Begun(position: position, payload: place, bytes) { begun.append(one) }
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

  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 { FNV1a(bytes).value }
}
