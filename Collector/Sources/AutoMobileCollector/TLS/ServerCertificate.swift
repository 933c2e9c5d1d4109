import AutoMobileTLS
import Logging
import NIOConcurrencyHelpers
import NIOSSL

/// The certificate by which the collector is known: read at start, and again when its files have changed, without a restart.
///
/// Those who renew certificates write two files, one after the other: a pair that does not fit, or that cannot be read, is not
/// taken. The one before goes on, and the log says why.
final class ServerCertificate: Sendable {
  /// The two files, in PEM.
  struct Files: Sendable, Equatable {
    /// The certificate, followed by those of the authorities between it and a trusted one.
    var chain: String
    var key: String
  }

  private struct Pair: Sendable {
    var chain: [NIOSSLCertificateSource]
    var key: NIOSSLPrivateKeySource
    /// Of both files, by which a change is seen.
    var stamps: [FileStamp]

    var configuration: TLSConfiguration {
      var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      return configuration
    }

    /// What each new connection takes in the place of the configuration that the server started with.
    var override: NIOSSLContextConfigurationOverride {
      var override = NIOSSLContextConfigurationOverride()
      override.certificateChain = chain
      override.privateKey = key
      return override
    }
  }

  private let files: Files
  private let logger: Logger
  private let current: NIOLockedValueBox<Pair>
  /// What was tried last and not taken: it is complained about once.
  private let refused = NIOLockedValueBox<[FileStamp]>([])
  private let worker: BackgroundWorker

  /// - Parameter interval: seconds between two looks at the files.
  /// - Throws: ``CollectorError/unusableCertificate(path:reason:)``.
  init(_ files: Files, every interval: Double = 10, logger: Logger) throws {
    (self.files, self.logger) = (files, logger)
    current = NIOLockedValueBox(try Self.read(files))
    worker = BackgroundWorker(every: interval)
    worker.start("certificates") { [self] in refresh() }
  }

  /// For a server: TLS 1.2 and later, HTTP/1.1.
  var configuration: TLSConfiguration {
    var configuration = current.withLockedValue { $0.configuration }
    configuration.sslContextCallback = { [current] _, promise in
      promise.succeed(current.withLockedValue { $0.override })
    }
    return configuration
  }

  /// Takes the files when they have changed, and are good.
  func refresh() {
    let stamps = files.stamps
    guard stamps != current.withLockedValue({ $0.stamps }), stamps != refused.withLockedValue({ $0 }) else { return }
    do {
      let pair = try Self.read(files)
      current.withLockedValue { $0 = pair }
      refused.withLockedValue { $0 = [] }
      logger.notice("the certificate was read again", metadata: ["file": "\(files.chain)"])
    } catch {
      // Mostly the second file is about to follow; then its stamp is another one.
      refused.withLockedValue { $0 = stamps }
      logger.error("the new certificate is not used; the one before stays", metadata: ["reason": "\(error)"])
    }
  }

  func stop() { worker.stop() }

  private static func read(_ files: Files) throws -> Pair {
    // Before the contents: what changes meanwhile is read again.
    let stamps = files.stamps
    let chain: [NIOSSLCertificateSource]
    do {
      chain = try NIOSSLCertificate.fromPEMFile(files.chain).map { .certificate($0) }
    } catch {
      throw CollectorError.unusableCertificate(path: files.chain, reason: "no certificate can be read from it")
    }
    let key: NIOSSLPrivateKeySource
    do {
      key = .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem))
    } catch {
      throw CollectorError.unusableCertificate(
        path: files.key, reason: "no private key can be read from it (PEM, without a password)")
    }
    let pair = Pair(chain: chain, key: key, stamps: stamps)
    do {
      _ = try NIOSSLContext(configuration: pair.configuration)
    } catch {
      throw CollectorError.unusableCertificate(
        path: files.chain, reason: "it does not belong to the key in \(files.key), or is none for a server")
    }
    return pair
  }
}

extension ServerCertificate.Files {
  fileprivate var stamps: [FileStamp] { [FileStamp(chain), FileStamp(key)] }
}
