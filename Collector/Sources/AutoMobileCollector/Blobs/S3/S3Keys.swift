import AutoMobileTLS
import Foundation
import NIOConcurrencyHelpers

/// Where the key of an S3 store comes from: given once, or a profile of a file that somebody renews. The file is read again when it
/// has changed, and when the store refuses a key: no restart, and no clock, is needed.
///
/// A file that is just being written, or that cannot be read, takes nothing away: the key before stays, and ``problem`` says why.
package final class S3Keys: Sendable {
  /// A profile of a file.
  struct File: Sendable, Equatable {
    var path: String
    var profile: String
  }

  private struct Current {
    var key: S3Credentials
    var stamp: FileStamp?
    var problem: String?
  }

  /// Nil: the key was given, and stays.
  let file: File?
  private let current: NIOLockedValueBox<Current>

  package init(_ key: S3Credentials) {
    file = nil
    current = NIOLockedValueBox(Current(key: key))
  }

  /// - Throws: ``BlobPlace/Invalid``, with what to do.
  init(_ file: File) throws {
    self.file = file
    let stamp = FileStamp(file.path)
    current = NIOLockedValueBox(Current(key: try Self.read(file), stamp: stamp))
  }

  /// That of `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, which stays; else of the profile `AWS_PROFILE`
  /// (or `default`) in the file `AWS_SHARED_CREDENTIALS_FILE` (or `~/.aws/credentials`).
  ///
  /// - Throws: ``BlobPlace/Invalid``, with what to do.
  package static func find(in environment: [String: String] = ProcessInfo.processInfo.environment) throws -> S3Keys {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let access = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      return S3Keys(.init(accessKey: access, secretKey: secret, sessionToken: value("AWS_SESSION_TOKEN")))
    }
    let path = value("AWS_SHARED_CREDENTIALS_FILE") ?? "\(value("HOME") ?? NSHomeDirectory())/.aws/credentials"
    guard FileManager.default.fileExists(atPath: path) else {
      throw BlobPlace.Invalid(
        "there is no key for the S3 store: put it into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into the file \(path)"
      )
    }
    return try S3Keys(File(path: path, profile: value("AWS_PROFILE") ?? "default"))
  }

  /// What a request is signed with. It looks whether the file has changed, which is a matter of microseconds.
  func key() -> S3Credentials {
    guard let file else { return current.withLockedValue { $0.key } }
    return current.withLockedValue { current in
      let stamp = FileStamp(file.path)
      if stamp != current.stamp { Self.renew(&current, file, stamp) }
      return current.key
    }
  }

  /// Another key than one that was refused, when the file has one by now, whatever its times say.
  func key(after refused: S3Credentials) -> S3Credentials? {
    guard let file else { return nil }
    return current.withLockedValue { current in
      Self.renew(&current, file, FileStamp(file.path))
      return current.key == refused ? nil : current.key
    }
  }

  /// Why a file that has changed is not in use; nil: it is.
  var problem: String? { current.withLockedValue { $0.problem } }

  /// For what people are told of a key.
  var words: String { file.map { "[\($0.profile)] in \($0.path)" } ?? "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" }

  private static func renew(_ current: inout Current, _ file: File, _ stamp: FileStamp) {
    current.stamp = stamp
    do {
      current.key = try read(file)
      current.problem = nil
    } catch {
      current.problem = "\(error)"
    }
  }

  private static func read(_ file: File) throws -> S3Credentials {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(file.path)
    } catch {
      throw BlobPlace.Invalid("\(error)")
    }
    guard let key = S3Credentials(String(decoding: bytes, as: UTF8.self), profile: file.profile) else {
      throw BlobPlace.Invalid(
        "\(file.path) has no aws_access_key_id and aws_secret_access_key in [\(file.profile)]: add them, or choose with AWS_PROFILE"
      )
    }
    return key
  }
}
