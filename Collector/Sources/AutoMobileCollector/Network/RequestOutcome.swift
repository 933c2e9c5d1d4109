/// How a request came out, and whether that is a failure: the one definition, for lists of requests, health, the errors of a
/// session and the command line. The viewer's is `hasFailed` in `exchange/address.js`.
package struct RequestOutcome: Equatable, Sendable {
  /// nil when no answer came.
  package var status: Int64?
  /// Why there is none.
  package var hasError: Bool
  /// The app itself called it off.
  package var isCancelled: Bool
  /// The process ended before an answer came.
  package var isUnfinished: Bool

  package init(status: Int64?, hasError: Bool, isCancelled: Bool, isUnfinished: Bool) {
    self.status = status.flatMap { (0...999).contains($0) ? $0 : nil }
    self.hasError = hasError
    self.isCancelled = isCancelled
    self.isUnfinished = isUnfinished
  }

  /// No answer, or one from 400 upwards: what OpenTelemetry calls an error of a client. What the app itself called off has not
  /// failed, and of what it did not live to see the end of nobody knows.
  package var hasFailed: Bool { !isCancelled && !isUnfinished && (hasError || (status ?? 600) >= 400) }

  /// Whether an error says that the app called the request off.
  package static func isCancellation(domain: String?, code: Int64?) -> Bool {
    domain == "NSURLErrorDomain" && code == -999
  }
}
