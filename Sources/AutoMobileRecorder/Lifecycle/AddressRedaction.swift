import AutoMobileHTTP
import AutoMobileSupport

/// How secrets in addresses are left out in this process: those of deep links, and of screens that are named by an address.
///
/// The standard's until the app names its own where requests are recorded. Any thread.
package enum AddressRedaction {
  private static let own = Locked<HTTPRedaction?>(nil)

  /// The table of the standard is not made before something is redacted.
  package static var current: HTTPRedaction { own.withLock { $0 } ?? .standard }

  /// - Parameter redaction: nil for the standard.
  package static func use(_ redaction: HTTPRedaction?) { own.withLock { $0 = redaction } }
}
