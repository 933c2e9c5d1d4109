import Foundation

@testable import AutoMobileCollector

/// What is known by a secret: keys of S3 stores, in the file that somebody else writes, and what uploads are allowed by.
enum SecretFuzz {
  // MARK: Keys of a store

  private static let file = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")

  /// A file of credentials, or the address of a bucket.
  static func store(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    for profile in ["default", "a b", ""] {
      guard let key = S3Credentials(text, profile: profile) else { continue }
      let parts = [key.accessKey, key.sessionToken ?? "-"]
      expect(parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (33...126).contains($0) } }, "they go into headers")
      expect("\(key)" == "an S3 key" && Mirror(reflecting: key).children.isEmpty, "a key says nothing of itself")
      let again = S3Credentials(lines(of: key, in: profile), profile: profile)
      expect(again == key, "a key is read as it is written")
      expect(S3Credentials(lines(of: key, in: profile), profile: "other") == nil, "it is of its profile")
    }
    renewed(text, expect)
    guard let settings = try? S3Settings(text) else { return }
    let steps = settings.key("x").split(separator: "/", omittingEmptySubsequences: false)
    expect(steps.allSatisfy { !["", ".", ".."].contains($0) }, "a prefix leads nowhere else")
    expect((3...63).contains(settings.bucket.utf8.count), "a bucket has a name")
    expect(["http", "https"].contains(settings.endpoint.scheme), "an endpoint is asked over HTTP")
    expect(settings.endpoint.user == nil && settings.endpoint.query == nil, "it has nothing but a place")
  }

  /// Somebody writes it over a file that was good.
  private static func renewed(_ text: String, _ expect: (Bool, String) -> Void) {
    defer { try? FileManager.default.removeItem(at: file) }
    let good = S3Credentials(accessKey: "AKIAGOOD", secretKey: "a secret")
    let place = S3Keys.File(path: file.path, profile: "default")
    guard (try? Data(lines(of: good, in: place.profile).utf8).write(to: file)) != nil else { return }
    guard let keys = try? S3Keys(place) else { return expect(false, "a file that is good is read") }
    guard (try? Data(text.utf8).write(to: file)) != nil else { return }
    let read = S3Credentials(text, profile: place.profile)
    expect(keys.key(after: good) == (read == good ? nil : read), "another key than the refused one is taken")
    expect(keys.key() == read ?? good, "what cannot be read takes nothing away")
    expect((keys.problem == nil) == (read != nil), "it is said when a file is not in use")
  }

  private static func lines(of key: S3Credentials, in profile: String) -> String {
    var lines = ["[\(profile)]", "aws_access_key_id = \(key.accessKey)", "aws_secret_access_key = \(key.secretKey)"]
    if let token = key.sessionToken { lines.append("aws_session_token = \(token)") }
    return lines.joined(separator: "\n")
  }

  // MARK: Uploads

  private static let tokens = UploadTokens()
  private static let now: Int64 = 1_700_000_000

  /// A token, or what it is made of: a bundle id, or the announcement of a segment.
  static func upload(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    let shop = DeliveringApp(owner: .app("com.example.shop"), bundleId: "com.example.shop")
    for token in [text, UploadTokens.prefix + text] {
      expect(tokens.claim(token, at: 0) == nil, "nobody makes a token without the secret")
      expect(tokens.announced(token, of: shop, at: 0) == nil, "nor says what was announced")
    }
    if !text.isEmpty, DataOwner.app(nil).admits(text, among: []) {
      let app = DeliveringApp(owner: .app(text), bundleId: text)
      let claim = UploadTokens.Claim(key: bytes.count % 2 == 0 ? nil : Int64(bytes.count), app: app, expires: now)
      let token = tokens.token(claim)
      expect(tokens.claim(token, at: now - 1) == claim, "a token is read as it is given out")
      expect(tokens.claim(token, at: now) == nil, "a token has an end")
      expect(tokens.claim(changed(token, bytes), at: 0) == nil, "a token is good as it was given out, or not at all")
      expect(tokens.announced(token, of: app, at: 0) == nil, "what is for one thing is not for another")
    }
    guard let tree = try? JSONTree(checking: bytes, maximumDepth: 8), let segment = try? ReplaySegment(tree) else {
      return
    }
    expect(segment.contentHash?.utf8.count ?? 64 == 64, "a hash has its digits")
    expect(segment.contentHash?.utf8.allSatisfy { $0 < 0x80 } ?? true, "and no others that look like them")
    let address = tokens.announced(segment, of: shop, at: now)
    expect(address.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || isPlain($0) }, "it stands in an address")
    let read = tokens.announced(address, of: shop, at: now)
    var expected = segment
    expected.sessions = Array(segment.sessions.prefix(read?.sessions.count ?? 0))
    expect(read == expected, "what was announced is read, but for sessions that have no room")
    expect(tokens.announced(address, of: shop, at: now + UploadTokens.lifetime * 1000) == nil, "it has an end")
    let other = DeliveringApp(owner: .app("com.example.other"), bundleId: nil)
    expect(tokens.announced(address, of: other, at: now) == nil, "it is of one app")
    expect(tokens.announced(changed(address, bytes), of: shop, at: now) == nil, "it is good as it is, or not at all")
  }

  /// In one bit.
  private static func changed(_ text: String, _ bytes: UnsafeRawBufferPointer) -> String {
    var changed = Array(text.utf8)
    changed[bytes.reduce(0) { $0 &+ Int($1) } % changed.count] ^= 1
    return String(decoding: changed, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool { BlobName.isPlain(byte) }
}
