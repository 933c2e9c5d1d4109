import Foundation

/// Documentation: *UNNotificationAttachment*. iOS 10.0.
open class UNNotificationAttachment: NSObject {
  /// Documentation: *identifier*. iOS 10.0.
  public let identifier: String

  /// Documentation: *url*. iOS 10.0.
  public internal(set) var url: URL

  /// Documentation: *init(identifier:url:options:)*. iOS 10.0.
  ///
  /// Looks at the file as the documentation has it: it must be there, of a supported type, and not too large.
  public init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
    guard URL.isFileURL else { throw UNError(.attachmentInvalidURL) }
    let attributes = try? FileManager.default.attributesOfItem(atPath: URL.path)
    guard let size = attributes?[.size] as? Int, attributes?[.type] as? FileAttributeType == .typeRegular else {
      throw UNError(.attachmentInvalidURL)
    }
    guard ["jpg", "jpeg", "gif", "png"].contains(URL.pathExtension.lowercased()) else {
      throw UNError(.attachmentUnrecognizedType)
    }
    guard size <= 10 << 20 else { throw UNError(.attachmentInvalidFileSize) }
    self.identifier = identifier.isEmpty ? UUID().uuidString : identifier
    url = URL
  }
}

/// Documentation: *UNError*. iOS 10.0.
public struct UNError: Error {
  /// Documentation: *UNError.Code*. iOS 10.0.
  public enum Code: Int, Sendable {
    case notificationsNotAllowed = 1
    case attachmentInvalidURL = 100
    case attachmentUnrecognizedType = 101
    case attachmentInvalidFileSize = 102
    case attachmentCorrupt = 105
  }

  /// Documentation: *code*. iOS 10.0.
  public let code: Code

  init(_ code: Code) { self.code = code }
}
