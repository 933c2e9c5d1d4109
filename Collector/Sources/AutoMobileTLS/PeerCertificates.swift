import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// What certificates a server has, trusted or not: to say what is wrong with them.
enum PeerCertificates {
  struct Certificate: Sendable, Equatable {
    enum State: Sendable, Equatable {
      case holds
      /// With the time, in words.
      case ended(String)
      case notYet(String)
    }

    var state: State
    /// Of hosts, as it says itself, made fit for a terminal.
    var names: [String]

    init(_ certificate: NIOSSLCertificate, now: Date = Date()) {
      let time = now.timeIntervalSince1970
      func words(_ seconds: time_t) -> String { Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601) }
      state =
        Double(certificate.notValidAfter) < time
        ? .ended(words(certificate.notValidAfter))
        : Double(certificate.notValidBefore) > time ? .notYet(words(certificate.notValidBefore)) : .holds
      names = certificate._subjectAlternativeNames().compactMap { name in
        let bytes = Array(name.contents)
        switch name.nameType {
        case .dnsName:
          let isPlain = bytes.allSatisfy { (33...126).contains($0) } && bytes.count <= 253
          return isPlain ? String(decoding: bytes, as: UTF8.self) : nil
        case .ipAddress: return Self.address(bytes)
        default: return nil
        }
      }
    }

    private static func address(_ bytes: [UInt8]) -> String? {
      (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress
    }
  }

  /// Connects, takes what the server shows, and hangs up before anything else is said.
  ///
  /// - Returns: the server's own first; nothing when it shows none within five seconds.
  static func ask(_ host: String, _ port: Int) async -> [Certificate] {
    let found = NIOLockedValueBox<[Certificate]>([])
    guard let context = try? NIOSSLContext(configuration: .makeClientConfiguration()) else { return [] }
    let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
    let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connectTimeout(.seconds(5))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = try NIOSSLClientHandler(
            context: context, serverHostname: isAddress ? nil : host,
            customVerificationCallback: { chain, promise in
              found.withLockedValue { $0 = chain.prefix(10).map { Certificate($0) } }
              promise.succeed(.failed)
            })
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    guard let channel = try? await bootstrap.connect(host: host, port: port).get() else { return [] }
    // The handshake fails by what is said above; a server that says nothing is hung up on.
    let alarm = channel.eventLoop.scheduleTask(in: .seconds(5)) { channel.close(mode: .all, promise: nil) }
    try? await channel.closeFuture.get()
    alarm.cancel()
    return found.withLockedValue { $0 }
  }

  static func inFile(_ path: String, now: Date = Date()) -> [Certificate] {
    guard let bytes = try? SmallFile.read(path), !bytes.isEmpty else { return [] }
    return ((try? NIOSSLCertificate.fromPEMBytes(bytes)) ?? []).map { Certificate($0, now: now) }
  }
}
