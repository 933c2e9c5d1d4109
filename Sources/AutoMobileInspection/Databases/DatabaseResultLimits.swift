/// How large a result may grow.
struct DatabaseResultLimits: Sendable, Equatable {
  var rows = 500
  /// Of all names and values, as they stand in JSON. With what stands around it, an answer has at most 512 KiB.
  var bytes = 512 * 1024 - 16 * 1024
  /// Of one value's text.
  var value = 64 * 1024

  static let standard = DatabaseResultLimits()

  /// How many bytes a text has in JSON, quotes and comma included.
  static func jsonSize(_ text: String?) -> Int {
    guard let text else { return 5 }
    var size = 3
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: size += 2
      case 0x00..<0x20, 0x7F: size += 6
      default: size += 1
      }
    }
    return size
  }
}

/// The rows of a result, as long as it stays within its limits.
struct DatabaseRows {
  let limits: DatabaseResultLimits
  private(set) var rows: [[String?]] = []
  private(set) var types: [[DatabaseValueType]] = []
  /// Something was left out.
  private(set) var isTruncated = false
  private var size: Int

  init(columns: [String], limits: DatabaseResultLimits) {
    self.limits = limits
    size = columns.reduce(0) { $0 + DatabaseResultLimits.jsonSize($1) }
  }

  /// Takes another row in.
  ///
  /// - Returns: false when it did not fit.
  mutating func append(_ values: [SQLiteStatement.Value]) -> Bool {
    guard rows.count < limits.rows else {
      isTruncated = true
      return false
    }
    let texts = values.map(\.text)
    let rowSize = texts.reduce(4) { $0 + DatabaseResultLimits.jsonSize($1) + 4 }
    guard size + rowSize <= limits.bytes else {
      isTruncated = true
      return false
    }
    size += rowSize
    if values.contains(where: \.isCut) { isTruncated = true }
    rows.append(texts)
    types.append(values.map(\.type))
    return true
  }
}
