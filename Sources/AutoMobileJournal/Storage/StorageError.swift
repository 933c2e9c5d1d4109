import Foundation

/// A system call that failed while the journal worked on its files.
package struct StorageError: Error, Equatable, CustomStringConvertible {
  /// What was tried, for example `create segment`.
  package let operation: String
  /// `errno`.
  package let code: Int32

  package init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
  }

  /// Room is missing, rather than permission or the directory.
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  package var description: String { "\(operation): \(Self.text(code))" }

  private static func text(_ code: Int32) -> String {
    // Declared as if it could be nil, which it never is.
    let text: UnsafeMutablePointer<CChar>? = strerror(code)
    return text.map { String(cString: $0) } ?? "error \(code)"
  }
}
