import NIOSSL

/// The door through which everything leaves that the collector sends by itself.
///
/// A name is resolved once; all of its addresses must be allowed; the connection goes to one that was looked at, and to
/// nothing else: no redirect is followed, no proxy of the environment is used.
struct Egress: Sendable {
  let policy: EgressPolicy
  /// Trusted beside the system's: for receivers with certificates of one's own.
  let authorities: [NIOSSLCertificate]
  let find: @Sendable (String) -> [EgressAddress]

  /// For what the collector sends in its own name.
  static let userAgent = ("User-Agent", "automobile/\(Collector.version)")

  /// - Parameter find: a host's addresses; called off the event loops.
  init(
    policy: EgressPolicy = .standard, authorities: [NIOSSLCertificate] = [],
    find: @escaping @Sendable (String) -> [EgressAddress] = EgressAddress.find
  ) {
    self.policy = policy
    self.authorities = authorities
    self.find = find
  }

  /// - Throws: ``CollectorError/unreadableCertificates(path:reason:)``.
  init(_ options: CollectorOptions) throws {
    let authorities = try options.egressAuthorities.flatMap { path in
      do {
        return try NIOSSLCertificate.fromPEMFile(path)
      } catch {
        throw CollectorError.unreadableCertificates(path: path, reason: "\(error)")
      }
    }
    self.init(policy: options.egress, authorities: authorities, find: options.findAddresses)
  }

  /// An address of a host that may be connected to.
  ///
  /// - Throws: ``EgressError``.
  func address(of host: String, port: Int) async throws -> EgressAddress {
    let host = try EgressHost.normalized(host)
    if let address = EgressAddress(host) { return try policy.address([address], of: host, port: port) }
    let found = try await offLoop { [find] in find(host) }
    return try policy.address(found, of: host, port: port)
  }

  /// For several requests to one place. Close it afterwards, and open another one from time to time: names move.
  ///
  /// - Throws: ``EgressError``.
  func connection(to url: String, limits: EgressLimits = EgressLimits()) async throws -> EgressConnection {
    let target = try EgressTarget(url)
    let address = try await address(of: target.host, port: target.port)
    return EgressConnection(target, address: address, limits: limits, tls: tls)
  }

  /// One request, and its answer.
  ///
  /// - Throws: ``EgressError``.
  func send(
    _ method: String = "POST", to url: String, headers: [(String, String)] = [], body: [UInt8] = [],
    limits: EgressLimits = EgressLimits()
  ) async throws -> EgressAnswer {
    let connection = try await connection(to: url, limits: limits)
    do {
      let answer = try await connection.send(method, headers: headers, body: body)
      await connection.close()
      return answer
    } catch {
      await connection.close()
      throw error
    }
  }

  /// Certificates are always checked.
  var tls: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    if !authorities.isEmpty { configuration.additionalTrustRoots = [.certificates(authorities)] }
    return configuration
  }
}

/// How long an exchange may take, and how much of its answer is read.
struct EgressLimits: Sendable {
  var connectSeconds = 5.0
  /// Of all of it.
  var seconds = 20.0
  var answerBytes = 64 << 10
}
