import Foundation

/// The value of a `Content-Type` header, taken apart (RFC 9110, section 8.3).
public struct MediaType: Sendable, Equatable {
  /// For example `application/json`, in lower case.
  public var essence: String
  /// By name in lower case, without quotes.
  public var parameters: [String: String] = [:]

  public init(_ header: String) {
    var parts = header.split(separator: ";", omittingEmptySubsequences: false)[...]
    essence = (parts.popFirst() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    for part in parts.prefix(16) {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { continue }
      let name = sides[0].trimmingCharacters(in: .whitespaces).lowercased()
      parameters[name] = sides[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
  }

  public var isJSON: Bool { essence.hasSuffix("/json") || essence.hasSuffix("+json") || essence == "text/x-json" }
  public var isXML: Bool { essence.hasSuffix("/xml") || essence.hasSuffix("+xml") }
  public var isForm: Bool { essence == "application/x-www-form-urlencoded" }
  public var isMultipartForm: Bool { essence == "multipart/form-data" }
  public var isImage: Bool { essence.hasPrefix("image/") }

  /// How text is encoded, when the header names a character set that is known here.
  var encoding: String.Encoding? {
    switch parameters["charset"]?.lowercased() {
    case "utf-8", "utf8": .utf8
    case "us-ascii", "ascii": .ascii
    case "iso-8859-1", "latin1", "iso_8859-1": .isoLatin1
    case "windows-1252", "cp1252": .windowsCP1252
    case "utf-16": .utf16
    case "utf-16le": .utf16LittleEndian
    case "utf-16be": .utf16BigEndian
    default: nil
    }
  }
}

extension HTTPExchange {
  /// The media type of the request's body; nil when it was not recorded.
  public var requestMediaType: MediaType? { requestHeaders?.value(of: "Content-Type").map { MediaType($0) } }

  /// The media type of the response's body; nil when it was not recorded.
  public var responseMediaType: MediaType? {
    (contentType ?? responseHeaders?.value(of: "Content-Type")).map { MediaType($0) }
  }
}

extension HTTPBody {
  /// The bytes as text: UTF-8, or else the character set that the media type names.
  public func text(_ type: MediaType?) -> String? {
    if let text { return text }
    guard let bytes, let encoding = type?.encoding else { return nil }
    return String(data: bytes, encoding: encoding)
  }
}
