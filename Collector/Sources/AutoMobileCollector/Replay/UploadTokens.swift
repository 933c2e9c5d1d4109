import AutoMobileState
import Foundation

/// What a device uploads replays with: good for an hour, so that the project's key need not go with every request. The
/// token says itself what it is good for, under a code of ours; nothing is kept of it.
struct UploadTokens: Sendable {
  struct Claim: Sendable, Equatable {
    /// The project's key that it was given out for; nil when none was asked for.
    var key: Int64?
    /// What is uploaded with it is this app's.
    var app: DeliveringApp
    var expires: Int64
  }

  static let prefix = "am_upload_"
  /// In bytes: a bundle id stands in it twice, nothing but quotes are twice as long in JSON, and Base64 adds a third.
  private static let longest = 2000
  /// In seconds.
  static let lifetime: Int64 = 3600
  private let secret: [UInt8]

  /// With the secret that is kept in the state, or a new one.
  ///
  /// - Parameter keys: those that the collector was started with; a token that was given out for other ones is none.
  init(_ state: any StateStore, startedWith keys: [String] = []) throws {
    let text = try StateSecret.text("upload_secret", in: state) {
      var generator = SystemRandomNumberGenerator()
      return (0..<4).map { _ in String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16) }.joined()
    }
    let own = Array(text.utf8)
    secret = keys.isEmpty ? own : SHA256.code(Array(keys.joined(separator: "\n").utf8), key: own)
  }

  /// Where none is given out, and so none is good.
  init() { secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

  func token(_ claim: Claim) -> String {
    let members: [String: JSONTree] = [
      "key": claim.key.map(JSONTree.integer) ?? .null, "owner": .string(claim.app.owner.name),
      "bundle": claim.app.bundleId.map(JSONTree.string) ?? .null, "expires": .integer(claim.expires),
    ]
    let text = Data(JSONTree.object(members).text.utf8).base64EncodedString()
    return "\(Self.prefix)\(text).\(code(text))"
  }

  /// What a token is good for; nil when it is not ours, or over.
  func claim(_ token: String, at now: Int64) -> Claim? {
    guard token.utf8.count <= Self.longest, token.hasPrefix(Self.prefix) else { return nil }
    let parts = token.dropFirst(Self.prefix.count).split(separator: ".", maxSplits: 1)
    guard parts.count == 2, IngestKey(code(String(parts[0]))).matches(String(parts[1])),
      let data = Data(base64Encoded: String(parts[0])), let tree = try? JSONDecoder().decode(JSONTree.self, from: data),
      let expires = tree["expires"]?.integer, now < expires, let owner = tree["owner"]?.string
    else { return nil }
    let app = DeliveringApp(owner: DataOwner(name: owner), bundleId: tree["bundle"]?.string)
    return Claim(key: tree["key"]?.integer, app: app, expires: expires)
  }

  /// What nobody else can have made of a text.
  func code(_ text: String) -> String {
    SHA256.code(Array(text.utf8), key: secret).hexText
  }
}
