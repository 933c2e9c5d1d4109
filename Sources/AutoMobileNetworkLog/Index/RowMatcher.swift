import Foundation

/// A filter, made ready to be asked a hundred thousand times.
struct RowMatcher {
  private let filter: NetworkLogFilter
  private let methods: Set<Names.ID>
  private let hosts: Set<Names.ID>
  private let text: FoldedText?
  private let tracer: FoldedText?

  init(_ filter: NetworkLogFilter, _ names: LogNames) {
    self.filter = filter
    methods = Set(filter.methods.compactMap(names.methods.known))
    hosts = Set(filter.hosts.compactMap { names.hosts.known($0.lowercased()) })
    text = FoldedText(filter.text)
    tracer = filter.tracerID.flatMap { FoldedText($0) }
  }

  func matches(_ row: LogRow, in segment: LogSegment, _ cache: SegmentCache) -> Bool {
    if !filter.methods.isEmpty, !methods.contains(row.method) { return false }
    if !filter.hosts.isEmpty, !hosts.contains(row.host) { return false }
    if !filter.statusClasses.isEmpty, !filter.statusClasses.contains(row.statusClass) { return false }
    if let isError = filter.isError, isError != row.isError { return false }
    if let isMocked = filter.isMocked, isMocked != row.flags.contains(.mocked) { return false }
    // Not a number is in no range.
    if let minimum = filter.minimumDuration, !(Double(row.duration) >= minimum) { return false }
    if let maximum = filter.maximumDuration, !(Double(row.duration) <= maximum) { return false }
    if let from = filter.startedFrom, row.startedAt < from { return false }
    if let end = filter.startedBefore, row.startedAt >= end { return false }
    if let tracer, !isFound(tracer, in: segment.text(of: row), row.tracerText) { return false }
    return text.map { isFound($0, row, segment, cache) } ?? true
  }

  /// The cheapest first.
  private func isFound(_ text: FoldedText, _ row: LogRow, _ segment: LogSegment, _ cache: SegmentCache) -> Bool {
    if filter.places.contains(.url), isFound(text, in: segment.text(of: row), row.urlText) { return true }
    if filter.places.contains(.metadata), isFound(text, in: segment.text(of: row), row.metadataText) { return true }
    guard filter.places.contains(.headers) || filter.places.contains(.bodies) else { return false }
    let found = cache.withPayload(row.payload, in: segment) { bytes in
      if filter.places.contains(.headers) {
        if isFound(text, in: bytes, row.requestHeaders.range) { return true }
        if isFound(text, in: bytes, row.responseHeaders.range) { return true }
      }
      guard filter.places.contains(.bodies) else { return false }
      return isFound(text, in: bytes, row.requestBody.range) || isFound(text, in: bytes, row.responseBody.range)
    }
    return found ?? false
  }

  private func isFound(_ text: FoldedText, in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { isFound(text, in: $0, range) }
  }

  private func isFound(_ text: FoldedText, in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= bytes.count else { return false }
    return text.isFound(in: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }
}

extension LogRow {
  var urlText: Range<Int> { place(0, Int(urlLength)) }
  var tracerText: Range<Int> { place(Int(urlLength) + 1, Int(tracerLength)) }
  var metadataText: Range<Int> { place(Int(urlLength) + 1, Int(text.length) - Int(urlLength) - 1) }

  /// The exchange's own id, the last line of all.
  func idText(in text: [UInt8]) -> Range<Int> {
    let end = min(Int(self.text.offset) + Int(self.text.length), text.count) - 1
    guard end > Int(self.text.offset) else { return 0..<0 }
    var start = end
    while start > Int(self.text.offset), text[start - 1] != 0x0A { start -= 1 }
    return start..<end
  }

  private func place(_ offset: Int, _ length: Int) -> Range<Int> {
    let start = Int(text.offset) + offset
    return start..<start + max(0, length)
  }
}
