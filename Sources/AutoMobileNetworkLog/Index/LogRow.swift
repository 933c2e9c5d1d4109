import Foundation

/// What is kept in memory of a recorded exchange: what lists are sorted, filtered and counted by.
struct LogRow {
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let failed = Flags(rawValue: 1)
    static let mocked = Flags(rawValue: 2)
    static let cancelled = Flags(rawValue: 4)
    /// Neither answer nor error.
    static let unfinished = Flags(rawValue: 8)
    /// Not one of the segment's rows, but one of its beginnings.
    static let beginning = Flags(rawValue: 16)
  }

  /// A place in the payload.
  struct Part {
    var offset: UInt32 = 0
    var length: UInt32 = 0

    init() {}

    init(_ range: Range<Int>) {
      offset = UInt32(clamping: range.lowerBound)
      length = UInt32(clamping: range.count)
    }

    var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
  }

  var position: UInt64
  /// In milliseconds since 1970.
  var startedAt: Int64 = 0
  /// In the segment.
  var payload: Part
  /// In the segment's text: what ``LogSegment/text`` says.
  var text = Part()
  /// How much of the text is the URL, and after that the tracer id.
  var urlLength: UInt32 = 0
  var tracerLength: UInt32 = 0
  /// In milliseconds; not a number when it is not known.
  var duration: Float = .nan
  var host: Names.ID = 0
  var method: Names.ID = 0
  /// 0 when there was none.
  var status: UInt16 = 0
  var flags: Flags = []
  var requestHeaders = Part()
  var responseHeaders = Part()
  var requestBody = Part()
  var responseBody = Part()
  /// In bytes.
  var requestSize: UInt32 = 0
  var responseSize: UInt32 = 0

  /// No response, or one that says that something went wrong.
  var isError: Bool { !flags.contains(.unfinished) && (flags.contains(.failed) || status >= 400) }

  var statusClass: NetworkLogFilter.StatusClass {
    flags.contains(.unfinished) ? .unfinished : NetworkLogFilter.StatusClass(Int(status))
  }
}

/// Names that come again and again, as numbers.
struct Names {
  typealias ID = UInt32

  private(set) var all: [String] = [""]
  private var ids: [String: ID] = ["": 0]
  /// When there are more, the last number stands for all the others.
  private static let maximum = 1 << 16

  mutating func id(_ name: String) -> ID {
    if let id = ids[name] { return id }
    guard all.count < Self.maximum else { return ID(clamping: Self.maximum - 1) }
    let id = ID(clamping: all.count)
    all.append(name)
    ids[name] = id
    return id
  }

  /// Nil for a name that never came.
  func known(_ name: String) -> ID? { ids[name] }

  func name(_ id: ID) -> String {
    let index = Int(id)
    return index < all.count ? all[index] : ""
  }
}
