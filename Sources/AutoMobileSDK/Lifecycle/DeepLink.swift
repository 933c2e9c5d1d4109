import AutoMobileHTTP
import Foundation

/// An address that opened the app, and who had it opened.
struct DeepLink: Sendable, Equatable {
  var url: String
  var sourceApplication: String?

  /// - Parameter isRedacted: whether values that look like secrets are left out of the address.
  init(_ url: URL, sourceApplication: String?, isRedacted: Bool) {
    self.url = isRedacted ? HTTPRedaction().redactedURL(url.absoluteString) : url.absoluteString
    self.sourceApplication = sourceApplication
  }
}
