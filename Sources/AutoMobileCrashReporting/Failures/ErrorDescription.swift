import Foundation

/// What is recorded of an error: its domain, its code and what it says. Its `userInfo` is not: it may hold anything.
struct ErrorDescription: Sendable, Equatable {
  /// The domain of an `NSError`; of a Swift error its type's name, with its module.
  var domain: String
  /// Only errors that have codes have one.
  var code: Int?
  var message: String?

  /// In UTF-8 bytes.
  static let maximumMessage = 4096

  /// Runs code of the error's type.
  init(_ error: any Error) {
    let message: String?
    if let error = Self.object(error) {
      domain = error.domain
      code = error.code
      message = error.localizedDescription
    } else if let error = error as? any CustomNSError {
      domain = Self.name(type(of: error).errorDomain)
      code = error.errorCode
      message = Self.explanation(of: error) ?? error.localizedDescription
    } else {
      domain = Self.name(String(reflecting: type(of: error)))
      message = Self.explanation(of: error) ?? String(describing: error)
    }
    self.message = message.map { Self.cut($0) }
  }

  /// The error as an `NSError`, when it is one; a Swift error, which could be made one, is none.
  static func object(_ error: any Error) -> NSError? {
    type(of: error) is NSError.Type ? error as NSError? : nil
  }

  /// What the error says about itself for people to read.
  private static func explanation(of error: any Error) -> String? { (error as? any LocalizedError)?.errorDescription }

  /// A private type's name holds an address of this process, by which the same error would have another name each time.
  private static func name(_ type: String) -> String {
    var name = type
    while let start = name.range(of: "(unknown context at $"),
      let end = name.range(of: ").", range: start.upperBound..<name.endIndex)
    {
      name.removeSubrange(start.lowerBound..<end.upperBound)
    }
    return name
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > maximumMessage else { return text }
    return String(decoding: text.utf8.prefix(maximumMessage - 6), as: UTF8.self) + "…"
  }
}
