import Foundation

extension HTTPRedaction {
  /// A body without its secrets. JSON and forms are understood, also when they are truncated. Of any other body in which
  /// something looks like a secret, and of one that cannot be looked into (compressed, malformed), only the size is left.
  ///
  /// - Parameters:
  ///   - body: whole or truncated.
  ///   - contentType: helps to understand it; JSON is recognized without.
  ///   - contentEncoding: of a body that has not been decoded: a request's.
  public func redactedBody(_ body: HTTPBody, contentType: String?, contentEncoding: String? = nil) -> HTTPBody {
    guard let bytes = body.bytes, !bytes.isEmpty, !isNone else { return body }
    var redacted = body
    if let contentEncoding, !["", "identity"].contains(contentEncoding.lowercased()) {
      redacted.setBytes(nil)
    } else {
      redacted.setBytes(redactedBytes(Array(bytes), contentType?.lowercased() ?? "", isText: Self.isText(body)))
    }
    return redacted
  }

  private func redactedBytes(_ bytes: [UInt8], _ type: String, isText: Bool) -> Data? {
    if Self.isCompressed(bytes) { return nil }
    let first = bytes.first { !($0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF) }
    if type.contains("json") || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      do {
        return Data(try JSONRedactor.redacted(bytes, names))
      } catch is JSONTokens.Malformed {
        // Nobody knows then what an escape would mean.
        let isSafe = !bytes.contains(UInt8(ascii: "\\")) && !isFound(in: bytes)
        return isSafe ? Data(bytes) : nil
      } catch {
        return nil
      }
    }
    if type.contains("x-www-form-urlencoded") { return Data(redactedPairs(bytes)) }
    if type.contains("multipart/") { return isFound(in: bytes) ? nil : Data(bytes) }
    guard isText else { return isFound(in: bytes) ? nil : Data(bytes) }
    return secrets.isFound(in: bytes) ? nil : Data(bytes)
  }

  /// UTF-8 without the control characters that no text has.
  private static func isText(_ body: HTTPBody) -> Bool {
    guard let text = body.text else { return false }
    return !text.utf8.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
  }

  /// A name anywhere, or a pair.
  private func isFound(in bytes: [UInt8]) -> Bool {
    names.isFoundAnywhere(in: bytes) || secrets.isFound(in: bytes)
  }

  /// By the first bytes of gzip, zstd, zlib and zip.
  private static func isCompressed(_ bytes: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], [0x78, 0x01], [0x78, 0x5E], [0x78, 0x9C], [0x78, 0xDA],
      [0x50, 0x4B, 0x03, 0x04],
    ]
    return starts.contains { bytes.starts(with: $0) }
  }
}
