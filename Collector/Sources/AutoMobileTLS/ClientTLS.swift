import NIOConcurrencyHelpers
import NIOSSL

/// How one connects to a server by TLS: with files that are read when they are first needed, and again when they have changed,
/// without a restart.
///
/// Those who renew certificates write one file after the other: what does not fit, or cannot be read, is not taken. What was there
/// before goes on, and ``problem`` says why.
package final class ClientTLS: Sendable {
  package let files: TLSFiles

  private struct Current {
    var configuration: TLSConfiguration?
    /// Of those that are in use, or were tried last.
    var stamps: [FileStamp] = []
    var problem: TLSFileError?
  }

  private let current = NIOLockedValueBox(Current())

  package init(_ files: TLSFiles) { self.files = files }

  /// Nil when there are no files: then a connection trusts whom the system trusts. Certificates are checked in any case.
  ///
  /// It looks at the files each time, which is a matter of microseconds.
  ///
  /// - Throws: ``TLSFileError`` when they cannot be used, and never could.
  package func configuration() throws -> TLSConfiguration? {
    guard !files.isEmpty else { return nil }
    return try current.withLockedValue { current in
      // Before the contents: what changes meanwhile is read again.
      let stamps = files.paths.map { FileStamp($0) }
      if current.configuration == nil || stamps != current.stamps {
        current.stamps = stamps
        do {
          current.configuration = try Self.read(files)
          current.problem = nil
        } catch let error as TLSFileError {
          guard current.configuration != nil else { throw error }
          current.problem = error
        }
      }
      return current.configuration
    }
  }

  /// Why files that have changed are not in use; nil: they are.
  package var problem: TLSFileError? { current.withLockedValue { $0.problem } }

  /// - Throws: ``TLSFileError``.
  private static func read(_ files: TLSFiles) throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let path = files.authorities {
      configuration.additionalTrustRoots = [.certificates(try certificates(path))]
    }
    guard let path = files.certificate, let keyPath = files.key else { return configuration }
    configuration.certificateChain = try certificates(path).map { .certificate($0) }
    let bytes = try SmallFile.read(keyPath)
    guard !bytes.isEmpty, let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
      throw TLSFileError(path: keyPath, reason: "no private key can be read from it (PEM, without a password)")
    }
    configuration.privateKey = .privateKey(key)
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw TLSFileError(path: path, reason: "it does not belong to the key in \(keyPath)")
    }
    return configuration
  }

  private static func certificates(_ path: String) throws -> [NIOSSLCertificate] {
    let bytes = try SmallFile.read(path)
    guard !bytes.isEmpty, let found = try? NIOSSLCertificate.fromPEMBytes(bytes), !found.isEmpty else {
      throw TLSFileError(path: path, reason: "no certificate can be read from it (PEM)")
    }
    return found
  }
}
