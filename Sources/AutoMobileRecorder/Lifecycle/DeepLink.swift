import AutoMobileHTTP
import Foundation

/// An address that opened the app, and who had it opened.
struct DeepLink: Sendable, Equatable {
  var url: String
  var sourceApplication: String?

  /// - Parameter redaction: leaves values that look like secrets out of the address; nil: the address is kept as it is.
  init(_ url: URL, sourceApplication: String?, redaction: HTTPRedaction?) {
    self.url = redaction?.redactedURL(url.absoluteString) ?? url.absoluteString
    self.sourceApplication = sourceApplication
  }
}
