import AutoMobileHTTP
import Foundation

/// The parts of a body that is `multipart/form-data` (RFC 7578), as far as it was captured.
struct MultipartForm {
  struct Part {
    var name: String
    var fileName: String?
    var contentType: String?
    /// Nil when the part is no text.
    var text: String?
    var size: Int
  }

  /// How many parts are looked at.
  private static let maximumParts = 1000
  /// The longest header block of a part, in bytes.
  private static let maximumHead = 4096

  var parts: [Part] = []

  /// Nil when the bytes do not begin as such a body does.
  init?(_ bytes: Data, boundary: String) {
    let delimiter = Data("--\(boundary)".utf8)
    guard !boundary.isEmpty, let first = bytes.range(of: delimiter) else { return nil }
    var start = first.upperBound
    while parts.count < Self.maximumParts, start < bytes.endIndex {
      let end = bytes.range(of: Data("\r\n".utf8) + delimiter, in: start..<bytes.endIndex)
      if let part = Self.part(bytes[start..<(end?.lowerBound ?? bytes.endIndex)]) { parts.append(part) }
      guard let end else { break }
      start = end.upperBound
    }
  }

  private static func part(_ bytes: Data) -> Part? {
    let limit = bytes.index(bytes.startIndex, offsetBy: maximumHead, limitedBy: bytes.endIndex) ?? bytes.endIndex
    guard let gap = bytes.range(of: Data("\r\n\r\n".utf8), in: bytes.startIndex..<limit) else { return nil }
    var part = Part(name: "", size: bytes.distance(from: gap.upperBound, to: bytes.endIndex))
    for line in String(decoding: bytes[..<gap.lowerBound], as: UTF8.self).components(separatedBy: "\r\n") {
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2 else { continue }
      let value = sides[1].trimmingCharacters(in: .whitespaces)
      switch sides[0].lowercased() {
      case "content-disposition":
        let parameters = MediaType(value).parameters
        part.name = parameters["name"] ?? ""
        part.fileName = parameters["filename"]
      case "content-type": part.contentType = value
      default: break
      }
    }
    part.text = String(bytes: bytes[gap.upperBound...], encoding: .utf8)
    return part
  }
}
