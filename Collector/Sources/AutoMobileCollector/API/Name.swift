import Foundation

/// A name that people gave: one line, not empty, not too long.
enum Name {
  /// - Throws: ``APIError``.
  static func checked(_ value: JSONTree?, longest: Int) throws -> String {
    let name = (value?.string ?? "").trimmingCharacters(in: .whitespaces)
    guard (1...longest).contains(name.count), !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw APIError.badRequest("invalid_name", "name must have 1 to \(longest) characters, on one line")
    }
    return name
  }
}
