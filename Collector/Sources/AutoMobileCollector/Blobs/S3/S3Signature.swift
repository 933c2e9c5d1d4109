import Crypto
import Foundation

/// Signature Version 4 of Amazon's: what makes a request one of a key's holder, as it is, for some minutes.
struct S3Signature {
  var credentials: S3Credentials
  var region: String
  var service = "s3"

  /// What is signed of a request.
  struct Request {
    var method: String
    /// Encoded already, from the slash on.
    var path: String
    /// Not encoded.
    var query: [(String, String)] = []
    /// All that are to be signed; `host` among them.
    var headers: [(String, String)]
    /// The SHA-256 of the body, in hexadecimal digits.
    var bodyHash: String
  }

  /// The value of `Authorization`.
  ///
  /// - Parameter time: as the request's `x-amz-date` has it: `20130524T000000Z`.
  func authorization(_ request: Request, time: String) -> String {
    let headers = request.headers.map { ($0.0.lowercased(), Self.trimmed($0.1)) }.sorted { $0.0 < $1.0 }
    let names = headers.map(\.0).joined(separator: ";")
    let canonical = [
      request.method, request.path, Self.query(request.query),
      headers.map { "\($0.0):\($0.1)\n" }.joined(), names, request.bodyHash,
    ].joined(separator: "\n")
    let day = String(time.prefix(8))
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let text = ["AWS4-HMAC-SHA256", time, scope, Self.hash(canonical.utf8)].joined(separator: "\n")
    var key = SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))
    for part in [day, region, service, "aws4_request"] { key = SymmetricKey(data: Self.code(part, key)) }
    return "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),"
      + "Signature=\(Self.code(text, key).hexText)"
  }

  private static func code(_ text: String, _ key: SymmetricKey) -> Data {
    Data(HMAC<Crypto.SHA256>.authenticationCode(for: Data(text.utf8), using: key))
  }

  static func hash(_ bytes: some Sequence<UInt8>) -> String { Crypto.SHA256.hash(data: Data(bytes)).hexText }

  /// `x-amz-date` of a moment.
  static func time(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
    return formatter.string(from: date)
  }

  /// Sorted by encoded name and value, and encoded.
  static func query(_ items: [(String, String)]) -> String {
    items.map { (encoded($0.0), encoded($0.1)) }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Everything but letters, digits and `-._~` as `%XX`.
  static func encoded(_ text: String, keepingSlashes: Bool = false) -> String {
    var result = ""
    for byte in text.utf8 {
      if BlobName.isPlain(byte) || "-._~".utf8.contains(byte) || (keepingSlashes && byte == UInt8(ascii: "/")) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += "%" + [byte].hexText.uppercased()
      }
    }
    return result
  }

  private static func trimmed(_ value: String) -> String {
    value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}
