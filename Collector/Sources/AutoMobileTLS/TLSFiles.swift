/// Files, in PEM, for connections to servers that the operator names.
package struct TLSFiles: Sendable, Hashable {
  /// Certificates that are trusted beside the system's.
  package var authorities: String?
  /// One's own certificate, followed by those of the authorities between it and one that the server trusts.
  package var certificate: String?
  /// The private key of that, without a password.
  package var key: String?

  package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
    (self.authorities, self.certificate, self.key) = (authorities, certificate, key)
  }

  package var isEmpty: Bool { paths.isEmpty }

  var paths: [String] { [authorities, certificate, key].compactMap { $0 } }

  /// What addresses call them.
  package enum Option: String, CaseIterable {
    case authorities = "ca"
    case certificate = "tls-certificate"
    case key = "tls-key"
  }

  package subscript(option: Option) -> String? {
    get {
      switch option {
      case .authorities: authorities
      case .certificate: certificate
      case .key: key
      }
    }
    set {
      switch option {
      case .authorities: authorities = newValue
      case .certificate: certificate = newValue
      case .key: key = newValue
      }
    }
  }

  /// What is wrong with them before any of them is looked at; nil: nothing.
  package func problem(isSecure: Bool) -> String? {
    for path in paths where path.isEmpty || path.utf8.contains(0) {
      return "ca, tls-certificate and tls-key are names of files"
    }
    guard isSecure || isEmpty else { return "ca, tls-certificate and tls-key are for HTTPS, and this address is not" }
    guard (certificate == nil) == (key == nil) else { return "tls-certificate and tls-key belong together" }
    return nil
  }
}

/// Why a file cannot be used. Nothing of what is in it is said.
package struct TLSFileError: Error, Equatable, CustomStringConvertible {
  package var path: String
  package var reason: String

  package var description: String { "\(path) cannot be used: \(reason)" }
}
