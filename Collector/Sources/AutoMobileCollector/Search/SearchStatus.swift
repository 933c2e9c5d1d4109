/// What `status:` takes besides comparisons.
enum SearchStatus: Equatable, Sendable {
  /// From, up to and including; beginnings of codes are all codes that begin so.
  case codes(ClosedRange<Int64>)
  /// No answer came.
  case none
  /// None of those, because the process ended first.
  case unfinished

  init?(_ text: String) {
    let text = text.lowercased()
    if "none".hasPrefix(text) {
      self = .none
    } else if "unfinished".hasPrefix(text) {
      self = .unfinished
    } else {
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      let rest = text.dropFirst(digits.count)
      guard (1...3).contains(digits.count), text.count <= 3, rest.allSatisfy({ $0 == "x" }), let code = Int64(digits)
      else { return nil }
      switch digits.count {
      case 1: self = .codes(code * 100...code * 100 + 99)
      case 2: self = .codes(code * 10...code * 10 + 9)
      default: self = .codes(code...code)
      }
    }
  }

  /// The same again, as it is read.
  var text: String {
    switch self {
    case .none: "none"
    case .unfinished: "unfinished"
    case .codes(let range):
      switch range.count {
      case 100: "\(range.lowerBound / 100)xx"
      case 10: "\(range.lowerBound / 10)x"
      default: "\(range.lowerBound)"
      }
    }
  }
}
