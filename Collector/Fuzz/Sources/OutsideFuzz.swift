import Crypto
import Foundation
import HTTPTypes
import NIOCore

@testable import AutoMobileCollector

/// What comes from proxies, browsers, identity providers and S3 stores.
enum OutsideFuzz {
  // MARK: An S3 store's answers

  /// A page of a listing, uploads, or an error.
  static func store(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let document = S3Document(bytes)
    var length = 0
    for entry in document.all("Contents") {
      length += entry.first("Key")?.utf8.count ?? 0
      // What a store names becomes a name of ours, or nothing: none leads out of its folder.
      for folder in BlobName.Folder.allCases {
        guard let key = entry.first("Key"), let name = BlobName(folder, key) else { continue }
        expect(
          !name.file.contains("/") && !name.file.contains("..") && name.key.hasPrefix(folder.rawValue),
          "a name stays in its folder")
      }
    }
    expect(length <= 3 * bytes.count, "no element is read twice")
    let code = document.first("Code") ?? ""
    expect(code.utf8.count <= 3 * bytes.count + 3, "a code is a part of the answer")
    _ = document.all("Upload").map { ($0.first("Key"), $0.first("UploadId"), $0.first("Initiated")) }
  }

  // MARK: Signing in

  private static let expected = IDToken.Expected(
    issuer: "https://id.example", clientID: "automobile", nonce: "n", now: 1_700_000_000)
  private static let key = SymmetricKey(data: Array(repeating: UInt8(7), count: 32))

  /// A cookie's header, a token of a provider, or its claims.
  static func signIn(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let secret = SignInSecret(text) {
      expect(secret.text == text && text.utf8.count == 43, "a secret is what was presented")
    }
    for value in SessionCookie.values(of: "automobile", in: [text]) {
      expect(!value.contains(";"), "a cookie ends at its semicolon")
    }
    expect(PendingSignIn(sealed: text, by: key, at: 0) == nil, "nobody seals without the key")
    if PendingSignIn.isPlace(text) {
      expect(text.hasPrefix("#/") && !text.contains("\n") && !text.contains("\""), "a place is in the viewer")
    }
    if let header = try? IDToken.Header(of: text) {
      expect(IDToken.algorithms.contains(header.algorithm), "only the algorithms that are taken")
    }
    guard let claims = try? JSONTree(checking: bytes, maximumDepth: 8) else { return }
    if let token = try? IDToken(checking: claims, expected) {
      expect(claims["iss"]?.string == expected.issuer && claims["nonce"]?.string == "n", "it is of this sign-in")
      expect((1...255).contains(token.subject.utf8.count), "somebody has a name")
    }
  }

  // MARK: Proxies

  private static let proxies = (try? TrustedProxies(["10.0.0.0/8", "fd00::/8", "127.0.0.1"])) ?? .none

  /// `X-Forwarded-For` and `Forwarded`, a field a line.
  static func forwarded(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    guard let peer = EgressAddress("127.0.0.1") else { return }
    for hops in [ForwardedHops.list(lines), ForwardedHops.forwarded(lines)].compactMap({ $0 }) {
      expect(hops.count <= ForwardedHops.most, "the number of hops is bounded")
      let client = ForwardedHops.client(hops, behind: peer, proxies)
      expect(client == peer || hops.contains(client), "an address is one that was written")
      // Whatever a stranger writes before what the proxy heard changes nothing.
      let honest = EgressAddress("203.0.113.7")
      expect(ForwardedHops.client(hops + [honest], behind: peer, proxies) == honest, "the last untrusted one counts")
      for hop in hops.compactMap({ $0 }) {
        expect(EgressAddress(hop.text) == hop, "an address is read as it is written")
      }
    }
    // Nor does it hide what the proxy appends, to the line or in one of its own.
    let honest = EgressAddress("203.0.113.7")
    var appended = lines
    appended[appended.count - 1] += ", 203.0.113.7"
    for told in [appended, lines + ["203.0.113.7"]] {
      expect(ForwardedHops.list(told)?.last == .some(honest), "what was appended is the last hop")
    }
    for text in ["for=203.0.113.7", "proto=http;for=\"203.0.113.7:80\""] {
      appended[appended.count - 1] = lines[lines.count - 1] + ", " + text
      for told in [appended, lines + [text]] {
        expect(ForwardedHops.forwarded(told)?.last == .some(honest), "what was appended is the last hop")
      }
    }
    if let scheme = ProxyHeaders.scheme(lines) {
      expect(scheme == "http" || scheme == "https", "there are two schemes")
    }
    for line in lines.prefix(8) { _ = try? TrustedProxies([line]) }
  }

  // MARK: Redaction

  private static let rules: RedactionRules = {
    var rules = RedactionRules()
    let all = RedactionPattern.allCases.map(RedactionRule.What.pattern) + [.field("password"), .field("a")]
    for (index, what) in all.enumerated() {
      rules.add(RedactionRule(id: Int64(index + 1), project: nil, what: what, createdAt: 0, createdBy: "", redacted: 0))
    }
    return rules
  }()

  static func redaction(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    func isJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
      var scanner = JSONScanner(bytes, maximumDepth: 32)
      return (try? scanner.document { try $0.skip() }) != nil
    }
    var last = 0
    for edit in TextRedactor(rules: rules).edits(in: bytes) {
      expect(
        edit.range.lowerBound >= last && edit.range.upperBound <= bytes.count && !edit.range.isEmpty,
        "edits stand one after the other")
      last = edit.range.upperBound
    }
    var counts: RedactionCounts = [:]
    guard let result = JSONRedactor.redact(bytes, by: rules, maximumDepth: 32, &counts) else { return }
    expect(!counts.isEmpty && counts.values.allSatisfy { $0 > 0 }, "what is taken out is counted")
    expect(!isJSON(bytes) || result.withUnsafeBytes(isJSON), "JSON stays JSON")
  }
}
