import AutoMobileTLS
import Foundation

/// A bucket, and how to get to it. Nothing secret: keys come from the environment or a file (``S3Credentials``).
public struct S3Settings: Sendable, Equatable {
  public enum Style: String, Sendable {
    /// `https://endpoint/bucket/key`: what most stores of one's own take.
    case path
    /// `https://bucket.endpoint/key`: what Amazon wants.
    case virtual
  }

  public var bucket: String
  /// What all keys begin with; empty, or without a slash at its end.
  public var prefix: String
  public var region: String
  /// `https://s3.eu-central-1.amazonaws.com`: scheme, host and port, nothing behind.
  public var endpoint: URL
  public var style: Style
  /// Whom it trusts beside the system, and by what it is known itself.
  package var tls = TLSFiles()

  /// Reads `s3://bucket/prefix?endpoint=…&region=…&style=…&ca=…&tls-certificate=…&tls-key=…`.
  ///
  /// - Throws: ``BlobPlace/Invalid``.
  public init(_ text: String) throws {
    guard let parts = URLComponents(string: text), parts.scheme == "s3", let bucket = parts.host else {
      throw BlobPlace.Invalid("blobs are in s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, or in a folder")
    }
    guard parts.user == nil, parts.password == nil, parts.fragment == nil, parts.port == nil else {
      throw Self.keyInAddress
    }
    self.bucket = bucket
    guard Self.isBucket(bucket) else {
      throw BlobPlace.Invalid(
        "“\(bucket.prefix(80))” is no bucket: 3 to 63 small letters, digits, dots and dashes")
    }
    prefix = parts.path.split(separator: "/").joined(separator: "/")
    guard Self.isPrefix(parts.path) else {
      throw BlobPlace.Invalid(
        "the prefix “\(parts.path.prefix(80))” may have letters, digits, - _ . and slashes between")
    }
    var given: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      let isKnown = ["endpoint", "region", "style"].contains(item.name) || TLSFiles.Option(rawValue: item.name) != nil
      guard isKnown, let value = item.value, !value.isEmpty,
        given.updateValue(value, forKey: item.name) == nil
      else {
        throw BlobPlace.Invalid(
          "“\(item.name.prefix(40))”: there are endpoint, region, style, ca, tls-certificate and tls-key, each once, with a value"
        )
      }
    }
    region = given["region"] ?? "us-east-1"
    guard region.utf8.count <= 40, region.utf8.allSatisfy({ BlobName.isPlain($0) || $0 == UInt8(ascii: "-") }) else {
      throw BlobPlace.Invalid("“\(region.prefix(40))” is no region: as eu-central-1")
    }
    endpoint = try Self.endpoint(given["endpoint"] ?? "https://s3.\(region).amazonaws.com")
    guard let style = given["style"].map(Style.init) ?? (given["endpoint"] == nil ? .virtual : .path) else {
      throw BlobPlace.Invalid("style is path or virtual")
    }
    self.style = style
    for option in TLSFiles.Option.allCases { tls[option] = given[option.rawValue] }
    if let problem = tls.problem(isSecure: endpoint.scheme == "https") { throw BlobPlace.Invalid(problem) }
    // A wildcard's certificate is good for one level of names.
    if style == .virtual, bucket.contains("."), endpoint.scheme == "https" {
      throw BlobPlace.Invalid("a bucket with dots cannot be the name of a host: add style=path")
    }
  }

  private static let keyInAddress = BlobPlace.Invalid(
    "a key in an argument is seen by all users of the machine: put it into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into a file of credentials"
  )

  private static func endpoint(_ text: String) throws -> URL {
    // Nor is it said to whoever reads what is wrong.
    guard !text.contains("@") else { throw keyInAddress }
    guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme),
      parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, ["", "/"].contains(parts.path),
      parts.query == nil, parts.fragment == nil,
      let url = URL(string: text.hasSuffix("/") ? String(text.dropLast()) : text)
    else { throw BlobPlace.Invalid("“\(text.prefix(80))” is no endpoint: https://HOST or http://HOST:PORT") }
    return url
  }

  private static func isBucket(_ text: String) -> Bool {
    (3...63).contains(text.utf8.count) && !text.contains("..") && text == text.lowercased()
      && text.utf8.allSatisfy { BlobName.isPlain($0) || ".-".utf8.contains($0) }
      && [text.utf8.first, text.utf8.last].allSatisfy { $0.map(BlobName.isPlain) == true }
  }

  private static func isPrefix(_ path: String) -> Bool {
    path.utf8.count <= 400 && !path.contains("//")
      && path.split(separator: "/").allSatisfy { part in
        part != "." && part != ".." && part.utf8.allSatisfy { BlobName.isPlain($0) || "-_.".utf8.contains($0) }
      }
  }

  /// Without what may change though the data is the same: how one gets there.
  var mark: String { "s3://\(bucket)\(prefix.isEmpty ? "" : "/" + prefix)" }

  func key(_ name: BlobName) -> String { key(name.key) }
  func key(_ rest: String) -> String { prefix.isEmpty ? rest : "\(prefix)/\(rest)" }
}
