import Foundation

/// The key that requests to an S3 store are signed with. It says nothing of itself when it is printed.
public struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var accessKey: String
  var secretKey: String
  /// Of credentials that end.
  var sessionToken: String?

  public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  public var description: String { "an S3 key" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Those of `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; else of the profile `AWS_PROFILE` (or
  /// `default`) in the file `AWS_SHARED_CREDENTIALS_FILE` (or `~/.aws/credentials`).
  ///
  /// - Throws: ``BlobPlace/Invalid``, with what to do.
  public static func find(in environment: [String: String] = ProcessInfo.processInfo.environment) throws
    -> S3Credentials
  {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let access = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      return S3Credentials(accessKey: access, secretKey: secret, sessionToken: value("AWS_SESSION_TOKEN"))
    }
    let path = value("AWS_SHARED_CREDENTIALS_FILE") ?? "\(value("HOME") ?? NSHomeDirectory())/.aws/credentials"
    let profile = value("AWS_PROFILE") ?? "default"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BlobPlace.Invalid(
        "there is no key for the S3 store: put it into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into the file \(path)"
      )
    }
    guard let found = read(String(decoding: data, as: UTF8.self), profile: profile) else {
      throw BlobPlace.Invalid(
        "\(path) has no aws_access_key_id and aws_secret_access_key in [\(profile)]: add them, or choose with AWS_PROFILE"
      )
    }
    return found
  }

  static func read(_ text: String, profile: String) -> S3Credentials? {
    var values: [String: String] = [:]
    var isWanted = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("["), line.hasSuffix("]") {
        isWanted = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces) == profile
      } else if isWanted, !line.hasPrefix("#"), !line.hasPrefix(";"), let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].trimmingCharacters(in: .whitespaces)
        values[name] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      }
    }
    guard let access = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
    return S3Credentials(accessKey: access, secretKey: secret, sessionToken: values["aws_session_token"])
  }
}
