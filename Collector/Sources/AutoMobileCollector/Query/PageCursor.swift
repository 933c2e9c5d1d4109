/// Where a page of an ordered list ends. Opaque to clients; two numbers in fact.
struct PageCursor: Equatable {
  var key: Int64
  var id: Int64

  /// What ``text`` looks like (ECMA-262).
  static let pattern = "^-?[0-9]+\\.-?[0-9]+$"

  init(key: Int64, id: Int64) {
    self.key = key
    self.id = id
  }

  /// - Throws: ``APIError`` for anything that ``text`` cannot have given.
  init(_ text: some StringProtocol) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // A plus sign is read as a part of a number, and never written.
    guard parts.count == 2, !text.utf8.contains(UInt8(ascii: "+")), let key = Int64(parts[0]), let id = Int64(parts[1])
    else {
      throw APIError.badRequest("invalid_cursor", "this cursor was not issued by the collector")
    }
    self.init(key: key, id: id)
  }

  var text: String { "\(key).\(id)" }
}
