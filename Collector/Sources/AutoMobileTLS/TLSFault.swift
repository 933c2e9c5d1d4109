import NIOSSL

/// Why there is no connection by TLS, in words that say what to do.
package enum TLSFault {
  /// Asks the server for its certificate once more where that says more; nothing is sent to it then but the greeting.
  ///
  /// - Parameters:
  ///   - error: what a connection, or a request over it, ended with.
  ///   - host: as the address has it; an IPv6 address without its brackets.
  /// - Returns: nil when it was not for TLS.
  package static func words(_ error: any Error, host: String, port: Int, tls: ClientTLS) async -> String? {
    let text = String(describing: error)
    var words: String
    if error as? NIOSSLExtraError == .failedToValidateHostname {
      words = otherName(await PeerCertificates.ask(host, port), host)
    } else if text.contains("CERTIFICATE_VERIFY_FAILED") {
      words = untrusted(await PeerCertificates.ask(host, port), tls.files)
    } else if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      words = "what answers there speaks no TLS: is it the port of plain HTTP?"
    } else if let alert = alert(text) {
      words = refused(alert, tls.files)
    } else {
      return nil
    }
    if let problem = tls.problem { words += " (and \(problem), so what was there before is in use)" }
    return words
  }

  /// What else may be behind a connection that was cut: the word of a server that does not take a certificate can be lost then.
  ///
  /// - Returns: with a space before it; nothing when the error is another one.
  package static func hint(_ error: any Error, tls: ClientTLS) -> String {
    let text = String(describing: error)
    let isCut = ["remoteConnectionClosed", "ECONNRESET", "onnection reset", "EPIPE", "uncleanShutdown"].contains {
      text.contains($0)
    }
    guard isCut else { return "" }
    return tls.files.certificate.map { " (so may a server that does not take the certificate in \($0))" }
      ?? " (so may a server that wants a certificate of whoever connects: tls-certificate, tls-key)"
  }

  private static func otherName(_ chain: [PeerCertificates.Certificate], _ host: String) -> String {
    let names = chain.first?.names.prefix(8).joined(separator: ", ") ?? ""
    let what = names.isEmpty ? "names no host" : "is for \(names)"
    return
      "its certificate \(what), and not for \(host): name it in the address as its certificate does, or have one made for \(host)"
  }

  private static func untrusted(_ chain: [PeerCertificates.Certificate], _ files: TLSFiles) -> String {
    for (index, certificate) in chain.enumerated() {
      let whose = index == 0 ? "its certificate" : "the certificate of an authority before it"
      switch certificate.state {
      case .ended(let when): return "\(whose) ended at \(when): it has to be renewed there"
      case .notYet(let when): return "\(whose) holds from \(when) on, which is not yet: is a clock wrong?"
      case .holds: continue
      }
    }
    guard let path = files.authorities else {
      return
        "its certificate is of no authority that this system trusts: name the file with that authority's certificate (PEM), ca=FILE in the address"
    }
    let ended = PeerCertificates.inFile(path).contains { if case .ended = $0.state { true } else { false } }
    return ended
      ? "its certificate is of no authority that is trusted, and a certificate in \(path) has ended: put the new one into it"
      : "its certificate is of no authority in \(path), and of none that this system trusts: put the certificate of its authority into that file, with those between where the server does not send them"
  }

  /// What the server said when it ended the connection.
  private static func alert(_ text: String) -> String? {
    guard let range = text.range(of: "_ALERT_") else { return nil }
    let word = text[range.upperBound...].prefix { $0.isUppercase || $0 == "_" }
    return word.isEmpty ? nil : String(word)
  }

  private static func refused(_ alert: String, _ files: TLSFiles) -> String {
    let word = alert.lowercased().split(separator: "_").joined(separator: " ")
    // What servers say who want one: the last of them in TLS 1.3, the first before.
    let isAsking = ["HANDSHAKE_FAILURE", "CERTIFICATE_REQUIRED"].contains(alert)
    guard let path = files.certificate else {
      return isAsking
        ? "it ends the connection (\(word)): it may want a certificate of whoever connects, tls-certificate=FILE and tls-key=FILE in the address"
        : "it ends the connection (\(word))"
    }
    return "it does not take the certificate in \(path) (\(word))"
  }
}
